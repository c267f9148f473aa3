"""Whether the quotas of all teams fit into the pools that they are drawn on."""

from collections.abc import Iterator

from charts_py.checks.draft import Draft, DraftPool
from charts_py.spec.fault import FieldPath, Problem


def check_quotas(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose allocations are promised more than once."""
    for pool in draft.pools:
        if pool.facts is None or not draft.is_read((*pool.path, "nodes")):
            continue
        yield from _promised(draft, pool, pool.facts.allocations_per_node)
    for path, _, namespace in draft.namespaces():
        for pool_name, count in namespace.quota.gpus.items():
            if count < 0:
                yield Problem(
                    (*path, "quota", "gpus", pool_name), f"{count} is negative", "0 or more"
                )


def _promised(draft: Draft, pool: DraftPool, per_node: int) -> Iterator[Problem]:
    shares = {
        path: namespace.quota.gpus[pool.name]
        for path, _, namespace in draft.namespaces()
        if pool.name in namespace.quota.gpus
    }
    nodes, promised = pool.spec.nodes.max, sum(shares.values())
    if promised > nodes * per_node:
        parts = " + ".join(f"{count} ({path[-1]})" for path, count in shares.items())
        last: FieldPath = tuple(shares)[-1]
        yield Problem(
            (*last, "quota", "gpus", pool.name),
            f"the quotas on pool {pool.name} add up to {promised}: {parts}",
            f"at most {nodes * per_node}, as {nodes} nodes with {per_node} allocations each offer",
        )
