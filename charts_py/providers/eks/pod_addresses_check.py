"""Whether as many pods as a node holds get an address."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft, DraftPool

_REMEDY = "more with eks.prefixDelegation, where the VPC CNI assigns prefixes"


def check_pod_addresses(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose nodes shall hold more pods than have an address."""
    for pool in draft.pools:
        if pool.addressed_pods is not None and draft.has_provider_settings:
            yield from _lacking(pool, pool.addressed_pods)


def _lacking(pool: DraftPool, addressed: int) -> Iterator[Problem]:
    has = f"a node has addresses for {addressed}"
    if pool.max_pods > addressed:
        what = f"{pool.max_pods} pods; {has}"
        yield Problem((*pool.path, "maxPods"), what, f"at most {addressed}; {_REMEDY}")
    elif pool.facts is not None and pool.facts.allocations_per_node > addressed:
        what = f"a node offers {pool.facts.allocations_per_node} allocations; {has} pods"
        yield Problem((*pool.path, "sharing"), what, f"at most {addressed}; {_REMEDY}")
