"""Whether a node can hold as many pods as it offers allocations."""

from collections.abc import Iterator

from charts_py.checks.draft import Draft
from charts_py.spec.fault import Problem
from charts_py.spec.pool import MOST_PODS_PER_NODE


def check_pods(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose nodes offer more allocations than they hold pods."""
    for pool in draft.pools:
        if pool.facts is None or not draft.is_read((*pool.path, "maxPods")):
            continue
        allocations, pods = pool.facts.allocations_per_node, pool.spec.max_pods
        if allocations > pods:
            yield Problem(
                (*pool.path, "maxPods"),
                f"a node offers {allocations} allocations and holds {pods} pods",
                f"from {allocations}, and those of the system, to {MOST_PODS_PER_NODE}",
            )
