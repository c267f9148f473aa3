"""Jobs wait by the priority that their pods run with.

Queues rank a job before it has pods, so before admission gives these their class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import members, text
from policies.fix import put
from policies.settings import JobKind
from policies.workloads.place import at
from policies.workloads.registry import workload_kind
from policies.workloads.workload_kind import WorkloadKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.document import Document, Json
    from policies.operation import Operation
    from policies.settings import QueuePriority, Settings

SCHEDULING_POLICY = "/spec/runPolicy/schedulingPolicy/priorityClass"
"""Where jobs of Kubeflow name the class that all their pods are scheduled by
(https://github.com/kubeflow/trainer at release-1.9, pkg/apis/kubeflow.org/v1/common_types.go)."""


def kind_of(job: Document) -> JobKind:
    """Return the kind of an object, with its API group."""
    return JobKind(text(job.get("apiVersion")).rpartition("/")[0], text(job.get("kind")))


def known(kind: JobKind) -> WorkloadKind:
    """Return what is known of a kind of jobs, at least its name."""
    return workload_kind(kind.group, kind.kind) or WorkloadKind(kind.group, kind.kind)


def default_class(settings: Settings, namespace: str, *, is_enforced: bool) -> str:
    """Return the class of a namespace's pods that name none; empty where they get none.

    `is_enforced`: whether the rule `priority-class` is, in that namespace.
    """
    known_namespace = settings.namespaces.get(namespace)
    if known_namespace is None or not is_enforced:
        return ""
    return known_namespace.default_priority or ""


def priority_fix(
    job: Document, before: Json, kind: JobKind, priority: QueuePriority, default: str
) -> tuple[Operation, ...]:
    """Return the operation by which a job names a class, where it names none.

    It keeps the one that it had before an update, which Kueue does not let go. What had none then
    stays as it is: its place in the queue is taken.
    """
    if stated(job, priority.field):
        return ()
    if before is not None:
        kept = stated(before, priority.field)
        return put(job, "", priority.field, kept) if kept else ()
    of_pods = next((name for _, name in classes_of_pods(job, kind)), "")
    if of_pods and priority.reads_templates:
        return ()
    return put(job, "", priority.field, of_pods or default)


def stated(job: Json, field: tuple[str, ...]) -> str:
    """Return the class that a job names for itself; empty where it names none."""
    for name in field:
        job = members(job).get(name)
    return text(job)


def classes_of_pods(job: Document, kind: JobKind) -> Iterator[tuple[str, str]]:
    """Yield the classes that a job names for its pods, each with the JSON Pointer to it."""
    places = (f"{each}/spec/priorityClassName" for each in known(kind).templates)
    for place in (SCHEDULING_POLICY, *places):
        yield from ((path, text(name)) for path, name in at(job, place) if text(name))
