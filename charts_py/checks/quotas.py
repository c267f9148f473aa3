"""Whether the quotas of all teams fit into their pools."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft, DraftPool


def check_quotas(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose allocations are promised more than once."""
    for pool in draft.pools:
        is_read = draft.is_read((*pool.path, "nodes", "max"))
        if pool.facts is not None and is_read and draft.is_whole((*pool.path, "sharing")):
            yield from _promised(draft, pool, pool.facts.allocations_per_node)


def _promised(draft: Draft, pool: DraftPool, per_node: int) -> Iterator[Problem]:
    shares = {
        path: namespace.quota.gpus[pool.name]
        for path, _, namespace in draft.namespaces()
        if pool.name in namespace.quota.gpus
    }
    given = draft.cluster.slurm_nodes(pool.name)
    nodes, promised = pool.spec.nodes.max - given, sum(shares.values())
    if nodes >= 0 and promised > nodes * per_node:
        parts = " + ".join(f"{count} ({path[-1]})" for path, count in shares.items())
        yield Problem(
            (*tuple(shares)[-1], "quota", "gpus", pool.name),
            f"the quotas on pool {pool.name} add up to {promised}: {parts}",
            f"at most {nodes * per_node}, which is {nodes} nodes x {per_node} allocations"
            + (f", without the {given} of Slurm" if given else ""),
        )
