"""Finds the pod templates in workloads."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from policies.document import Document, Json, members
from policies.settings import kind_of
from policies.workloads.place import Read, at
from policies.workloads.registry import workload_kind


@dataclass(frozen=True, slots=True)
class PodTemplate:
    """A pod, or a template of pods, in a workload."""

    pointer: str
    """JSON Pointer to it; empty for a Pod itself."""
    document: Document
    """The part of the workload itself, not a copy; a partial one may be assembled from it."""
    partial: bool = False
    """Whether it states only some of what the pod will have. Then it is not judged by what it lacks
    and nothing is added to it."""


def pod_templates(workload: Json) -> Iterator[PodTemplate]:
    """Yield the pod templates of a workload, or of each item of a `List`; none for other objects.

    Those that are read from parts are partial: a TrainJob, for example, overrides the templates of
    the runtime that it names. Manifests in a string, as in the `resource` template of an Argo
    Workflow, are not read.
    """
    fields = members(workload)
    kind = kind_of(fields)
    if kind.kind.endswith("List") and type(fields.get("items")) is list:
        yield from _held(workload, ("/items/*",))
        return
    known = workload_kind(kind.group, kind.kind)
    if known is not None:
        yield from _whole(workload, known.templates)
        yield from _partial(workload, known.parts)
        yield from _held(workload, known.wrapped)


def _whole(workload: Json, places: Iterable[str]) -> Iterator[PodTemplate]:
    for place in places:
        for pointer, found in at(workload, place):
            if _has_spec(found):
                yield PodTemplate(pointer, found)


def _partial(workload: Json, parts: Iterable[tuple[str, Read]]) -> Iterator[PodTemplate]:
    for place, read in parts:
        for pointer, part in at(workload, place):
            for below, pod in read(part):
                if _has_spec(pod):
                    yield PodTemplate(f"{pointer}{below}", pod, partial=True)


def _held(holder: Json, places: Iterable[str]) -> Iterator[PodTemplate]:
    for place in places:
        for pointer, held in at(holder, place):
            for template in pod_templates(held):
                yield replace(template, pointer=f"{pointer}{template.pointer}")


def _has_spec(template: Json) -> bool:
    return type(template) is dict and type(template.get("spec")) is dict
