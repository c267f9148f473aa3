"""Queues as tables for people."""

from collections.abc import Iterable, Iterator

from gpuplane.reports.queues.pool_ledger import NamespaceLine, PoolLine
from gpuplane.reports.queues.queues_request import ClusterQueues
from gpuplane.tables.table import Row, Table

_OF_POOL = ("Resource", "Nodes", "Per node", "Capacity", "In quotas", "Nobody's")
_OF_NAMESPACE = ("Resource", "Namespace", "Own", "Borrows", "Lends", "Reaches")


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
