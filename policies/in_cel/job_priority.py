"""`policies.job_priority` in CEL, and which classes a job may name.

It has no variables, by which policies can end an API server before Kubernetes 1.36:
https://github.com/kubernetes/kubernetes/issues/135757
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.admission import UPDATE
from policies.cel.patch import put_in_cel
from policies.cel.text import quote, shown_in_cel, texts_in_order
from policies.job_priority import SCHEDULING_POLICY, known
from policies.workloads.place import EVERY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from policies.settings import QueuePriority

_NONE = '""'


def stated(priority: QueuePriority, job: str = "object") -> str:
    """Return CEL for the class that a job names for itself; empty where it names none."""
    return _text_at(job, priority.field)


def is_unranked(priority: QueuePriority) -> str:
    """Return CEL for whether a job names no class that queues rank it by."""
    unstated = f"{stated(priority)} == {_NONE}"
    if not priority.reads_templates:
        return unstated
    of_update = f"request.operation == {quote(UPDATE)}"
    return f"{unstated} && ({of_update} || size({of_pods(priority)}) == 0)"


def rank(priority: QueuePriority, default: str) -> str:
    """Return CEL for the operations by which such a job names a class, as `policies.in_cel.patch`.

    `default`: the class of pods that name none.
    """
    before = f"[{stated(priority, 'oldObject')}]"
    of_job = f"{of_pods(priority)} + [{quote(default)}]"
    named = f"(request.operation == {quote(UPDATE)} ? {before} : {of_job})"
    return (
        f"[{named}.filter(named, named != {_NONE})].map(all, size(all) == 0 ? []"
        f" : [{put_in_cel(priority.field, 'all[0]')}])[0]"
    )


def of_pods(priority: QueuePriority, job: str = "object") -> str:
    """Return CEL for the classes that a job names for its pods."""
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
    """Return CEL for what is said of the first of them."""
    remedy = f", which is not among those of its team. Use one of: {', '.join(allowed)}."
    return (
        f"[{refused(priority, allowed)}[0]].map(named, "
        f'"The " + request.kind.kind + " names priority class " + {shown_in_cel("named")}'
        f" + {quote(remedy)})[0]"
    )


def _named(priority: QueuePriority, job: str) -> str:
    return f"({of_pods(priority, job)} + [{stated(priority, job)}].filter(own, own != {_NONE}))"


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
