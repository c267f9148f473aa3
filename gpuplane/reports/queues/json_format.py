"""Queues for programs."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from gpuplane.reports.queues.pool_ledger import NamespaceLine, PoolLine
from gpuplane.reports.queues.queues_request import ClusterQueues

Fields: TypeAlias = dict[str, Any]


def queues_fields(clusters: Iterable[ClusterQueues]) -> Fields:
    """Return who has what of the pools of each cluster."""
    return {"items": [_cluster(each) for each in clusters]}


def _cluster(each: ClusterQueues) -> Fields:
    return {
        "cluster": each.cluster,
        "engine": each.queues.engine if each.queues else None,
        "borrowing": each.queues.borrowing if each.queues else None,
        "pools": [_pool(line) for line in each.pools],
        "namespaces": [_namespace(line) for line in each.namespaces],
    }


def _pool(line: PoolLine) -> Fields:
    return {
        "pool": line.pool,
        "resource": line.resource,
        "nodes": line.nodes,
        "perNode": line.per_node,
        "capacity": line.capacity,
        "promised": line.promised,
        "unassigned": line.unassigned,
    }


def _namespace(line: NamespaceLine) -> Fields:
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
