"""Which namespaces may request less; of GPUs, that is with what they borrow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from charts_py.cluster_file.fault import counted
from charts_py.objects.fields import Absent
from gpuplane.plan.fields import leaves, shown
from gpuplane.plan.object_change import is_less
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.quota_clauses import quota_losses
from gpuplane.plan.restart_words import MAX_NAMED
from gpuplane.versions.comparison import ChangedObject

_WORDS = {"requests.cpu": "CPU", "requests.memory": "memory", "requests.storage": "storage"}
_REQUESTS = "requests."


def lowered_requests(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    """Yield a clause for each namespace; of many, one for all."""
    found = {
        f"{plan.cluster}/{one.placed.key.namespace}": lowered
        for plan in plans
        for one, lowered in _of_quotas(plan)
    }
    if len(found) <= MAX_NAMED:
        for place, lowered in found.items():
            changes = _joined([f"{word} ({change})" for word, change in lowered.items()])
            yield f"{place} may request less {changes}"
        return
    words = dict.fromkeys(word for lowered in found.values() for word in lowered)
    clusters = counted(len({place.partition("/")[0] for place in found}), "cluster")
    yield f"{len(found)} namespaces of {clusters} may request less {_joined([*words])}"


def _joined(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _of_quotas(plan: ClusterPlan) -> Iterator[tuple[ChangedObject, Mapping[str, str]]]:
    """Yield what each lowers, but for resources of which it is told who loses them."""
    losses = {(each.namespace, each.resource) for each in quota_losses(plan)}
    stopped = {each.resource for each in plan.restarts}
    for one in plan.values:
        if one.placed.key.kind == "ResourceQuota":
            namespace = one.placed.key.namespace
            told = stopped | {resource for place, resource in losses if place == namespace}
            if lowered := {word: change for word, change in _lowered(one) if word not in told}:
                yield one, lowered


def _lowered(quota: ChangedObject) -> Iterator[tuple[str, str]]:
    for change in quota.fields:
        for field in leaves(change):
            word = _word(field.segments[-1])
            is_new = word not in _WORDS.values() and field.old is Absent.ABSENT
            # A resource that comes was offered by no pool: nobody had more of it.
            if word and not is_new and is_less(field.new, field.old):
                yield word, f"{shown(field.new)} in place of {shown(field.old)}"


def _word(name: str) -> str | None:
    """Return the word for what a name of a quota counts; an extended resource has a domain."""
    resource = name.removeprefix(_REQUESTS)
    is_extended = name.startswith(_REQUESTS) and "/" in resource
    return resource if is_extended else _WORDS.get(name)
