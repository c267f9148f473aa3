"""How many pods the quota of a namespace and the nodes of its pools hold at most.

`gpuplane new` makes no more, and `gpuplane lint` finds workloads that ask for more.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple


class Capacity(NamedTuple):
    """The most of one resource of a pool that the pods of a namespace can have."""

    pool: str
    resource: str
    quota: int
    """What the namespace has, and can borrow."""
    per_node: int
    nodes: int
    """Nodes that teams can have of the pool."""

    def pods_on_nodes(self, gpus: int) -> int:
        return self.nodes * max(self.per_node // gpus, 1)

    def most_pods(self, gpus: int) -> int:
        """Return how many pods with so many GPUs run at once, where the quota is that of a pool."""
        return min(self.pods_on_nodes(gpus), self.quota // gpus)


def most_pods(
    capacities: Sequence[Capacity], pools: Collection[str], gpus: int, *, quota_by_pool: bool
) -> int:
    """Return how many pods with so many GPUs run at once on some of a namespace's pools.

    `capacities` are all of the namespace with the resource. Kueue keeps to the quota of each pool;
    other queues and ResourceQuotas keep to the sum, on whichever pool.
    """
    here = [capacity for capacity in capacities if capacity.pool in pools]
    if quota_by_pool:
        return sum(capacity.most_pods(gpus) for capacity in here)
    on_nodes = sum(capacity.pods_on_nodes(gpus) for capacity in here)
    return min(on_nodes, sum(capacity.quota for capacity in capacities) // gpus)


def too_many(count: int, gpus: str, pools: Sequence[str], namespace: str) -> str:
    """Say that pods, each with these GPUs, are too many."""
    pods = f"{count} pods with {gpus} each are" if count > 1 else f"{count} pod with {gpus} is"
    return f"{pods} {more_than(pools, namespace)}"


def more_than(pools: Sequence[str], namespace: str) -> str:
    of = f"pool{'s' * (len(pools) > 1)} {', '.join(pools)}"
    return f"more than {of} and the quota of {namespace} hold"
