"""Whether a node can hold as many pods as it offers allocations."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft, DraftPool
from charts_py.spec.fault import Problem


def check_pods(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose nodes hold too many pods, or too few."""
    maximum = draft.provider.max_pods_per_node
    for pool in draft.pools:
        if pool.spec.max_pods > maximum:
            what = f"{pool.spec.max_pods} pods on a node of {draft.cluster.provider}"
            yield Problem((*pool.path, "maxPods"), what, f"at most {maximum}")
        elif pool.facts is not None:
            yield from _room(pool, pool.facts.allocations_per_node, maximum)


def _room(pool: DraftPool, allocations: int, maximum: int) -> Iterator[Problem]:
    if allocations <= pool.spec.max_pods:
        return
    offered = f"a node offers {allocations} allocations"
    if allocations > maximum:
        what = f"{offered}, and no node here can hold that many pods"
        yield Problem((*pool.path, "sharing"), what, f"at most {maximum} allocations per node")
    else:
        what = f"{offered} and holds {pool.spec.max_pods} pods"
        allowed = f"{allocations} to {maximum}, with room for the system pods"
        yield Problem((*pool.path, "maxPods"), what, allowed)
