"""The jobs in a manifest that name a class of others, by which they would wait in a queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from policies.document import members, pointer, text
from policies.finding import Finding
from policies.job_priority import classes_of_pods, kind_of, stated
from policies.manifest_pod import objects
from policies.rules import priority_class
from policies.settings import JobKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.document import Document
    from policies.settings import Settings

_POD = JobKind("", "Pod")
"""What a pod itself names is a matter of the rule `priority-class`."""


@dataclass(frozen=True, slots=True)
class RefusedJob:
    """A job that the API server would not take."""

    kind: str
    name: str
    pointer: str
    """JSON Pointer from the manifest to it."""
    finding: Finding


def refused_jobs(
    settings: Settings, manifest: Document, default_namespace: str, namespace: str | None = None
) -> Iterator[RefusedJob]:
    """Yield the jobs of a manifest, or a List of them; namespaces as in `manifest_pods`."""
    for at, job in objects(manifest):
        metadata = members(job.get("metadata"))
        place = namespace or text(metadata.get("namespace")) or default_namespace
        name = text(metadata.get("name")) or text(metadata.get("generateName"))
        for finding in _refusals(settings, job, place):
            yield RefusedJob(text(job.get("kind")), name, at, finding)


def _refusals(settings: Settings, job: Document, namespace: str) -> Iterator[Finding]:
    priority, known = settings.queue_priority, settings.namespaces.get(namespace)
    if priority is None or known is None:
        return
    kind = kind_of(job)
    if kind not in priority.jobs and kind not in priority.others:
        return
    named = [(pointer(*priority.field), stated(job, priority.field))]
    if kind != _POD:
        named += classes_of_pods(job, kind)
    for path, name in named:
        if name:
            reserved = settings.reserved_priority_classes
            yield from priority_class.refusals(kind.kind, path, name, known, reserved)
