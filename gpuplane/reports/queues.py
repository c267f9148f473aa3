"""What a pool has of each resource, and whose it is."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

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
from gpuplane.json_output import attributes
from gpuplane.tables import Table


@dataclass(frozen=True, slots=True)
class PoolLine:
    """One resource of a pool at its largest, in allocations: a GPU, a MIG instance, or a share."""

    pool: str
    resource: str
    nodes: int
    """Nodes, without those of Slurm and spare ones."""
    per_node: int
    promised: int
    """Sum of the quotas of all namespaces."""

    @property
    def capacity(self) -> int:
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
        return self.own + self.borrowed


@dataclass(frozen=True, slots=True)
class ClusterQueues:
    cluster: str
    queues: Queues | None
    """None where a pod beyond the quota is refused instead."""
    pools: tuple[PoolLine, ...]
    namespaces: tuple[NamespaceLine, ...]


def pool_lines(platform: Platform) -> Iterator[PoolLine]:
    for pool in platform.pools:
        promised = Counter[str]()
        for namespace in platform.namespaces:
            promised.update(pool_shares(platform, namespace, pool))
        for resource in pool.facts.resources:
            nodes, name = platform.team_nodes(pool), resource.name
            yield PoolLine(pool.name, name, nodes, resource.per_node, promised[name])


def namespace_lines(platform: Platform) -> Iterator[NamespaceLine]:
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


def cluster_queues(platform: Platform) -> ClusterQueues:
    return ClusterQueues(
        cluster=platform.name,
        queues=platform.cluster.queues,
        pools=tuple(pool_lines(platform)),
        namespaces=tuple(namespace_lines(platform)),
    )


def queues_tables(clusters: Iterable[ClusterQueues]) -> Iterator[Table]:
    for each in clusters:
        yield pool_table(each)
        if each.namespaces:
            yield namespace_table(each)


def pool_table(each: ClusterQueues) -> Table:
    counts = ("Nodes", "Per node", "Capacity", "In quotas", "Nobody's")
    rows = (tuple(map(str, _of_pool(line).values())) for line in each.pools)
    return Table((f"Pool of {each.cluster}", "Resource", *counts), tuple(rows), words=2)


def _of_pool(line: PoolLine) -> dict[str, Any]:
    counts = ("nodes", "per_node", "capacity", "promised", "unassigned")
    return attributes(line, "pool", "resource", *counts)


def namespace_table(each: ClusterQueues) -> Table:
    headers = ("Resource", "Namespace", "Own", "Borrows", "Lends", "Reaches")
    shown = attrgetter("pool", "resource", "namespace", "own", "borrowed", "lent", "reach")
    rows = (tuple(map(str, shown(line))) for line in each.namespaces)
    return Table((f"Pool of {each.cluster}", *headers), tuple(rows), words=3)


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
            if together := "; ".join(_counted_together(each.namespaces)):
                yield (
                    f"{each.cluster}: a quota counts a resource on all pools together, so that a "
                    "namespace may use more than its own of one pool, and others then get less "
                    f"there: {together}."
                )
        if idle := [line for line in each.pools if line.unassigned]:
            parts = ", ".join(f"{line.unassigned} {line.resource} of {line.pool}" for line in idle)
            yield f"{each.cluster}: in nobody's quota, and so used by nobody: {parts}."


def _counted_together(lines: Iterable[NamespaceLine]) -> Iterator[str]:
    """Yield the namespaces that have the same resource on several pools, and these pools."""
    pools: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        pools.setdefault((line.namespace, line.resource), []).append(line.pool)
    for (namespace, resource), names in pools.items():
        if len(names) > 1:
            yield f"{namespace} has {resource} on {', '.join(names)}"


def queues_fields(clusters: Iterable[ClusterQueues]) -> dict[str, Any]:
    of_namespace = ("pool", "resource", "team", "namespace", "own", "borrowed", "lent", "reach")
    items = [
        {
            "cluster": each.cluster,
            "engine": each.queues.engine if each.queues else None,
            "borrowing": each.queues.borrowing if each.queues else None,
            "pools": [_of_pool(line) for line in each.pools],
            "namespaces": [attributes(line, *of_namespace) for line in each.namespaces],
        }
        for each in clusters
    ]
    return {"items": items}
