"""Which namespaces may request less CPU, memory or storage, as where their GPUs move to others."""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import counted
from gpuplane.plan.fields import leaves, shown
from gpuplane.plan.object_change import is_less
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.restart_words import MAX_NAMED
from gpuplane.versions.comparison import ChangedObject

_WORDS = {"requests.cpu": "CPU", "requests.memory": "memory", "requests.storage": "storage"}


def lowered_requests(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    """Yield a clause for each namespace; of many, one for all."""
    found = {
        f"{plan.cluster}/{one.placed.key.namespace}": lowered
        for plan in plans
        for one in plan.values
        if one.placed.key.kind == "ResourceQuota" and (lowered := dict(_lowered(one)))
    }
    if len(found) <= MAX_NAMED:
        for place, lowered in found.items():
            changes = " and ".join(f"{word} ({change})" for word, change in lowered.items())
            yield f"{place} may request less {changes}"
        return
    words = dict.fromkeys(word for lowered in found.values() for word in lowered)
    clusters = counted(len({place.partition("/")[0] for place in found}), "cluster")
    yield f"{len(found)} namespaces of {clusters} may request less {' and '.join(words)}"


def _lowered(quota: ChangedObject) -> Iterator[tuple[str, str]]:
    for change in quota.fields:
        for field in leaves(change):
            word = _WORDS.get(field.segments[-1])
            if word and is_less(field.new, field.old):
                yield word, f"{shown(field.new)} in place of {shown(field.old)}"
