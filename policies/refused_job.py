"""Jobs that the API server would not take, since they name a class that is not their team's."""

from collections.abc import Iterator
from dataclasses import dataclass

from policies.document import Document, name_of, namespace_of, objects, pointer, text
from policies.finding import Finding
from policies.rules import priority_class
from policies.settings import JobKind, Settings, kind_of
from policies.workloads.job_priority import classes_of_pods, stated

_POD = JobKind("", "Pod")
"""What a pod itself names is a matter of the rule `priority-class`."""


@dataclass(frozen=True, slots=True)
class RefusedJob:
    """A job that the API server would not take."""

    kind: str
    name: str
    pointer: str
    finding: Finding

    @property
    def place(self) -> str:
        return f"{self.pointer}{self.finding.path}"


def refused_jobs(
    settings: Settings, manifest: Document, default_namespace: str, namespace: str | None = None
) -> Iterator[RefusedJob]:
    """Yield the jobs of a manifest, or a List of them; namespaces as in `manifest_pods`."""
    for at, job in objects(manifest):
        place = namespace or namespace_of(job) or default_namespace
        for finding in _refusals(settings, job, place):
            yield RefusedJob(text(job.get("kind")), name_of(job), at, finding)


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
