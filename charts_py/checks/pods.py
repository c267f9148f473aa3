"""Whether a node can hold as many pods as it offers allocations."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft, DraftPool


def check_pods(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose nodes hold too many pods, or too few."""
    maximum = draft.provider.max_pods_per_node
    for pool in draft.pools:
        if pool.max_pods > maximum:
            what = f"{pool.max_pods} pods on a node of {draft.cluster.provider}"
            yield Problem((*pool.path, "maxPods"), what, f"at most {maximum}")
        # What addresses bound is reported by the provider.
        elif pool.facts is not None and not _lacks_addresses(pool):
            bound = min(maximum, pool.addressed_pods or maximum)
            yield from _room(pool, pool.facts.allocations_per_node, bound)


def _lacks_addresses(pool: DraftPool) -> bool:
    wanted = max(pool.max_pods, pool.facts.allocations_per_node if pool.facts else 0)
    return pool.addressed_pods is not None and wanted > pool.addressed_pods


def _room(pool: DraftPool, allocations: int, maximum: int) -> Iterator[Problem]:
    if allocations <= pool.max_pods:
        return
    offered = f"a node offers {allocations} allocations"
    if allocations > maximum:
        what = f"{offered}, and no node here can hold that many pods"
        yield Problem((*pool.path, "sharing"), what, f"at most {maximum} allocations per node")
    else:
        what = f"{offered} and holds {pool.max_pods} pods"
        allowed = f"{allocations} to {maximum}, with room for the system pods"
        yield Problem((*pool.path, "maxPods"), what, allowed)
