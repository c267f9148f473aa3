"""Parts of a manifest that the rules would pass over, since a pod has no such type there.

The rules treat what they cannot read as absent. That is safe in the webhook, because the API server
has refused such a pod before. In a file nobody has, and a request for GPUs below would be missed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from charts_py.cluster_file.fault import Fault, FieldPath, Problem
from charts_py.cluster_file.value_type import type_of
from gpuplane.admission.shape import ANY, METADATA, TEMPLATE, Shape, children, misshapen
from gpus.nearest import is_one_typo
from policies.document import pointer, steps_of, text
from policies.workloads.kubernetes_kinds import KUBERNETES_KINDS
from policies.workloads.place import EVERY, at
from policies.workloads.registry import workload_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpuplane.admission.manifest_file import ManifestObject
    from policies.workloads.workload_kind import WorkloadKind


class MisspelledField(NamedTuple):
    """A field that stands in the place of one with another name."""

    holder: str
    """JSON Pointer to the object that has the field."""
    name: str
    meant: str


_AN_OBJECT = "a mapping with apiVersion and kind"


def unread_parts(one: ManifestObject) -> Iterator[Fault]:
    """Yield a fault for each part of an object, or of a List of them, that is not read."""
    for problem in _of_object(one.document, ()):
        yield Fault(one.mark_of(pointer(*problem.path)), problem)


def _of_object(document: Any, path: FieldPath) -> Iterator[Problem]:
    kind = text(document.get("kind")) if isinstance(document, dict) else ""
    if not kind:
        yield Problem(path, "not an object", _AN_OBJECT)
    elif kind == "List" or (kind.endswith("List") and "items" in document):
        yield from _of_list(document.get("items"), (*path, "items"))
    else:
        group, slash, _ = text(document.get("apiVersion")).partition("/")
        problems = (
            *misshapen(document, {"metadata": METADATA}, path),
            *_of_workload(document, group if slash else "", kind, path),
        )
        yield from dict.fromkeys(problems)  # places have their first steps in common


def _of_list(items: Any, path: FieldPath) -> Iterator[Problem]:
    if not isinstance(items, list):
        yield Problem(path, type_of(items, "array"), "a list of objects")
    elif not items:
        yield Problem(path, "empty", "a list with at least 1 object")
    else:
        for index, item in enumerate(items):
            yield from _of_object(item, (*path, index))


def _of_workload(document: Any, group: str, kind: str, path: FieldPath) -> Iterator[Problem]:
    known = workload_kind(group, kind)
    if known is not None:
        yield from _of_templates(document, known, path)
        yield from _of_others(document, known, path)


def _of_templates(document: Any, known: WorkloadKind, path: FieldPath) -> Iterator[Problem]:
    for place in known.templates:
        wrong = tuple(misshapen(document, _shape_above(place, TEMPLATE), path))
        unread = wrong or tuple(_misspelled(document, place, path))
        yield from unread or _missing(document, place, known, path)


def _misspelled(document: Any, place: str, path: FieldPath) -> Iterator[Problem]:
    for holder, name, meant in misspelled_fields(document, place):
        yield Problem((*path, *_path(holder), name), "unknown field", nearest=(meant,))


def _of_others(document: Any, known: WorkloadKind, path: FieldPath) -> Iterator[Problem]:
    for place in (*known.wrapped, *(place for place, _ in known.parts)):
        yield from misshapen(document, _shape_above(place, ANY), path)
    for place in known.wrapped:
        for place_of, wrapped in at(document, place):
            if isinstance(wrapped, dict):
                yield from _of_object(wrapped, (*path, *_path(place_of)))


def _shape_above(place: str, shape: Shape) -> Shape:
    """Return the shape of an object that has `shape` at a place."""
    for step in reversed(place.split("/")[1:]):
        shape = children(shape) if step == EVERY else {step: shape}
    return shape


def _missing(document: Any, place: str, known: WorkloadKind, path: FieldPath) -> Iterator[Problem]:
    found = [(place_of, template) for place_of, template in at(document, place) if template]
    for place_of, template in found:
        yield from _missing_in(template, (*path, *_path(place_of)))
    if not found and known in KUBERNETES_KINDS:
        yield Problem((*path, *_path(place)), "missing", "a mapping with spec")


def _path(place: str) -> FieldPath:
    return tuple(int(step) if step.isdecimal() else step for step in steps_of(place))


def _missing_in(template: Any, path: FieldPath) -> Iterator[Problem]:
    spec = template.get("spec")
    if spec is None:
        yield Problem((*path, "spec"), "missing", "a mapping with containers")
    elif spec.get("containers") is None:
        yield Problem((*path, "spec", "containers"), "missing", "a list")


def misspelled_fields(document: Any, place: str) -> Iterator[MisspelledField]:
    """Yield fields whose names are probably typos of those that lead to a place.

    A name differs from the right one by a single typo, or in upper and lower case.
    """
    steps = place.split("/")
    for depth, meant in enumerate(steps[1:], start=1):
        if meant != EVERY:
            for holder, value in at(document, "/".join(steps[:depth])):
                if isinstance(value, dict) and meant not in value:
                    close = (name for name in value if _is_nearly(name, meant))
                    yield from (MisspelledField(holder, name, meant) for name in close)


def _is_nearly(name: Any, meant: str) -> bool:
    return isinstance(name, str) and (name.lower() == meant.lower() or is_one_typo(name, meant))
