"""What a pool has of each resource, and whose it is."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.queue_quota import (
    PoolQuotas,
    borrowable,
    lendable,
    pool_quotas,
    queue_pools,
)


@dataclass(frozen=True, slots=True)
class PoolLine:
    """One resource of a pool at its largest, in allocations: a GPU, a MIG instance, or a share."""

    pool: str
    resource: str
    nodes: int
    """Without those of Slurm."""
    per_node: int
    promised: int
    """Sum of the quotas of all namespaces."""

    @property
    def capacity(self) -> int:
        """What all its nodes offer."""
        return self.nodes * self.per_node

    @property
    def unassigned(self) -> int:
        """What is in nobody's quota, so that nobody can use it or borrow it."""
        return self.capacity - self.promised


@dataclass(frozen=True, slots=True)
class NamespaceLine:
    """What a namespace has of one resource of a pool, in allocations."""

    pool: str
    resource: str
    team: str
    namespace: str
    own: int
    """Its quota, which it gets whatever others do."""
    borrowed: int
    """Most that it borrows, while others leave it unused."""
    lent: int
    """Most that others borrow of it."""

    @property
    def reach(self) -> int:
        """Most that it has at once."""
        return self.own + self.borrowed


def pool_lines(platform: Platform) -> Iterator[PoolLine]:
    """Yield the resources of each pool."""
    for pool in platform.pools:
        promised = _promised(platform, pool)
        for resource in pool.facts.resources:
            nodes, name = platform.team_nodes(pool), resource.name
            yield PoolLine(pool.name, name, nodes, resource.per_node, promised[name])


def namespace_lines(platform: Platform) -> Iterator[NamespaceLine]:
    """Yield what each namespace has of each resource, pool by pool."""
    for pool in platform.pools:
        quotas = pool_quotas(platform, pool)
        for namespace in platform.namespaces:
            if pool in queue_pools(platform, namespace):
                yield from _of_namespace(platform, namespace, pool, quotas)


def _of_namespace(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool, quotas: PoolQuotas
) -> Iterator[NamespaceLine]:
    borrowed = borrowable(platform, namespace, pool, quotas)
    lent = lendable(platform, namespace, pool, quotas)
    for resource, quota in quotas[namespace.name].items():
        yield NamespaceLine(
            pool=pool.name,
            resource=resource,
            team=namespace.team_name,
            namespace=namespace.name,
            own=quota.nominal,
            borrowed=borrowed[resource],
            lent=lent[resource],
        )


def _promised(platform: Platform, pool: PlatformPool) -> Counter[str]:
    promised: Counter[str] = Counter()
    for namespace in platform.namespaces:
        promised.update(pool_shares(platform, namespace, pool))
    return promised
