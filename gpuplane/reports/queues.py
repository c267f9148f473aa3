"""What a pool has of each resource, and whose it is."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from charts_py.cluster_file.queues import Queues
from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.queue_quota import (
    PoolQuotas,
    borrowable,
    lendable,
    pool_quotas,
    queue_pools,
)
from gpuplane.tables import Row, Table
from gpuplane.versions.check import selected_platforms


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


@dataclass(frozen=True, slots=True)
class ClusterQueues:
    """Who has what of the pools of a cluster."""

    cluster: str
    queues: Queues | None
    """None where a pod beyond the quota is refused instead."""
    pools: tuple[PoolLine, ...]
    namespaces: tuple[NamespaceLine, ...]


_OF_POOL = ("Resource", "Nodes", "Per node", "Capacity", "In quotas", "Nobody's")
_OF_NAMESPACE = ("Resource", "Namespace", "Own", "Borrows", "Lends", "Reaches")


Fields: TypeAlias = dict[str, Any]


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


def queues_of(clusters: Path, names: tuple[str, ...]) -> tuple[ClusterQueues, ...]:
    """Return who has what in clusters; all without names.

    Raises SpecError with every fault, and RenderError for an unknown name.
    """
    return tuple(map(cluster_queues, selected_platforms(clusters, names)))


def cluster_queues(platform: Platform) -> ClusterQueues:
    """Return who has what of the pools of a cluster."""
    return ClusterQueues(
        cluster=platform.name,
        queues=platform.cluster.queues,
        pools=tuple(pool_lines(platform)),
        namespaces=tuple(namespace_lines(platform)),
    )


def queues_tables(clusters: Iterable[ClusterQueues]) -> Iterator[Table]:
    """Yield what the pools of each cluster have, and who has it."""
    for each in clusters:
        yield pool_table(each)
        if each.namespaces:
            yield namespace_table(each)


def pool_table(each: ClusterQueues) -> Table:
    """Return what the pools of a cluster have."""
    return Table((_header(each), *_OF_POOL), tuple(map(_pool, each.pools)), words=2)


def namespace_table(each: ClusterQueues) -> Table:
    """Return who has it."""
    return Table((_header(each), *_OF_NAMESPACE), tuple(map(_namespace, each.namespaces)), words=3)


def _header(each: ClusterQueues) -> str:
    return f"Pool of {each.cluster}"


def _pool(line: PoolLine) -> Row:
    counts = (line.nodes, line.per_node, line.capacity, line.promised, line.unassigned)
    return (line.pool, line.resource, *map(str, counts))


def _namespace(line: NamespaceLine) -> Row:
    counts = (line.own, line.borrowed, line.lent, line.reach)
    return (line.pool, line.resource, line.namespace, *map(str, counts))


def queues_notes(clusters: Iterable[ClusterQueues]) -> Iterator[str]:
    """Yield what the counts mean, and then what is particular to a cluster."""
    yield (
        "Counts are allocations: whole GPUs, MIG instances, or shares of either. Own is what a "
        "namespace gets whatever others do; Borrows and Lends are the most there can be at once, "
        "while somebody leaves it unused."
    )
    for each in clusters:
        if each.queues is None:
            yield f"{each.cluster}: no queues, so that a pod beyond the quota is refused."
        if idle := [line for line in each.pools if line.unassigned]:
            parts = ", ".join(f"{line.unassigned} {line.resource} of {line.pool}" for line in idle)
            yield f"{each.cluster}: in nobody's quota, and so used by nobody: {parts}."


def queues_fields(clusters: Iterable[ClusterQueues]) -> Fields:
    """Return who has what of the pools of each cluster."""
    return {"items": [_cluster_fields(each) for each in clusters]}


def _cluster_fields(each: ClusterQueues) -> Fields:
    return {
        "cluster": each.cluster,
        "engine": each.queues.engine if each.queues else None,
        "borrowing": each.queues.borrowing if each.queues else None,
        "pools": [_pool_fields(line) for line in each.pools],
        "namespaces": [_namespace_fields(line) for line in each.namespaces],
    }


def _pool_fields(line: PoolLine) -> Fields:
    return {
        "pool": line.pool,
        "resource": line.resource,
        "nodes": line.nodes,
        "perNode": line.per_node,
        "capacity": line.capacity,
        "promised": line.promised,
        "unassigned": line.unassigned,
    }


def _namespace_fields(line: NamespaceLine) -> Fields:
    return {
        "pool": line.pool,
        "resource": line.resource,
        "team": line.team,
        "namespace": line.namespace,
        "own": line.own,
        "borrowed": line.borrowed,
        "lent": line.lent,
        "reach": line.reach,
    }
