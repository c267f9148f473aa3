"""Jobs wait by the priority that their pods run with.

Queues rank a job before it has pods, so before admission gives these their class.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from policies.admission import UPDATE
from policies.cel.patch import put_in_cel
from policies.cel.text import quote, shown_in_cel, texts_in_order
from policies.document import Document, Json, members, text
from policies.fix import put
from policies.operation import Operation
from policies.settings import JobKind, QueuePriority, Settings
from policies.workloads.place import EVERY, at
from policies.workloads.registry import WorkloadKind, workload_kind

_NONE = '""'
SCHEDULING_POLICY = "/spec/runPolicy/schedulingPolicy/priorityClass"
"""Where jobs of Kubeflow name the class that all their pods are scheduled by
(https://github.com/kubeflow/trainer at release-1.9, pkg/apis/kubeflow.org/v1/common_types.go)."""


def known(kind: JobKind) -> WorkloadKind:
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


def _declared(priority: QueuePriority, job: str = "object") -> str:
    return _text_at(job, priority.field)


def is_unranked(priority: QueuePriority) -> str:
    """Return CEL for whether a job names no class that queues rank it by.

    Like all CEL of this module it reads no variables, by which policies can end an API server
    before Kubernetes 1.36: https://github.com/kubernetes/kubernetes/issues/135757
    """
    unstated = f"{_declared(priority)} == {_NONE}"
    if not priority.reads_templates:
        return unstated
    of_update = f"request.operation == {quote(UPDATE)}"
    return f"{unstated} && ({of_update} || size({of_pods(priority)}) == 0)"


def rank(priority: QueuePriority, default: str) -> str:
    """Return CEL for the operations by which such a job names a class.

    `default`: the class of pods that name none.
    """
    before = f"[{_declared(priority, 'oldObject')}]"
    of_job = f"{of_pods(priority)} + [{quote(default)}]"
    named = f"(request.operation == {quote(UPDATE)} ? {before} : {of_job})"
    return (
        f"[{named}.filter(named, named != {_NONE})].map(all, size(all) == 0 ? []"
        f" : [{put_in_cel(priority.field, 'all[0]')}])[0]"
    )


def of_pods(priority: QueuePriority, job: str = "object") -> str:
    templates = {place for each in priority.jobs for place in known(each).templates}
    places = [SCHEDULING_POLICY, *sorted(f"{each}/spec/priorityClassName" for each in templates)]
    single = [_text_at(job, _names(each)) for each in places if EVERY not in each]
    several = [_each(job, each) for each in places if EVERY in each]
    named = _sum([f"[{', '.join(single)}]", *several])
    return f"{named}.filter(named, named != {_NONE})"


def refused(priority: QueuePriority, allowed: Iterable[str]) -> str:
    """Return CEL for the classes that a job names anew, and that are not allowed."""
    before = f"(request.operation == {quote(UPDATE)} ? {_named(priority, 'oldObject')} : [])"
    return (
        f"[{before}].map(before, {_named(priority, 'object')}"
        f".filter(named, !(named in {texts_in_order(allowed)}) && !(named in before)))[0]"
    )


def refusal(priority: QueuePriority, allowed: Collection[str]) -> str:
    remedy = f", which is not among those of its team. Use one of: {', '.join(allowed)}."
    return (
        f"[{refused(priority, allowed)}[0]].map(named, "
        f'"The " + request.kind.kind + " names priority class " + {shown_in_cel("named")}'
        f" + {quote(remedy)})[0]"
    )


def _named(priority: QueuePriority, job: str) -> str:
    return f"({of_pods(priority, job)} + [{_declared(priority, job)}].filter(own, own != {_NONE}))"


def _each(job: str, place: str) -> str:
    above, _, below = place.partition(f"/{EVERY}")
    # Elements of a list, or members of an object.
    elements = "type(all) == map ? all.map(key, all[key]) : all"
    return (
        f"[{_optional(job, _names(above))}.orValue([])].map(all, {elements})[0]"
        f".map(one, {_text_at('one', _names(below))})"
    )


def _sum(lists: Sequence[str]) -> str:
    """Return CEL for lists that are joined by halves, since a parser goes only so deep."""
    if len(lists) == 1:
        return lists[0]
    half = len(lists) // 2
    return f"({_sum(lists[:half])} + {_sum(lists[half:])})"


def _names(place: str) -> list[str]:
    return place.split("/")[1:]


def _text_at(root: str, names: Iterable[str]) -> str:
    return f"{_optional(root, names)}.orValue({_NONE})"


def _optional(root: str, names: Iterable[str]) -> str:
    return f"dyn({root})" + "".join(f"[?{quote(name)}]" for name in names)
