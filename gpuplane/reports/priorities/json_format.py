"""Priorities for programs."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, TypeAlias

from gpuplane.reports.priorities.contention import Contention
from gpuplane.reports.priorities.disruption import DISRUPTIONS
from gpuplane.reports.priorities.ladder import Ladder, Rung
from gpuplane.reports.priorities.priorities_request import ClusterPriorities

Fields: TypeAlias = dict[str, Any]


def priorities_fields(clusters: Iterable[ClusterPriorities]) -> Fields:
    """Return who may evict whom in each cluster, and what holds back what ends pods."""
    return {
        "items": [_cluster(cluster) for cluster in clusters],
        "disruptions": [asdict(each) for each in DISRUPTIONS],
    }


def _cluster(cluster: ClusterPriorities) -> Fields:
    return {
        "cluster": cluster.ladder.cluster,
        "classes": [_rung(cluster.ladder, rung) for rung in cluster.ladder.rungs],
        "evictions": [_contention(each) for each in cluster.contentions],
        "poolsWithoutPreemption": cluster.without_preemption,
        "extended": cluster.extended,
    }


def _rung(ladder: Ladder, rung: Rung) -> Fields:
    return {
        "name": rung.name,
        "value": rung.priority.value,
        "preemption": rung.priority.preemption,
        "description": rung.priority.description,
        "evicts": ladder.victims_of(rung),
        "evictedBy": ladder.evictors_of(rung),
        "platformOnly": rung.platform_only,
        "namespaces": [{"team": each.team_name, "name": each.name} for each in rung.users],
        "defaultIn": rung.default_in,
    }


def _contention(each: Contention) -> Fields:
    victims = [{"namespace": name, "classes": classes} for name, classes in each.victims]
    return {
        "pool": each.pool,
        "namespace": each.namespace,
        "class": each.priority,
        "victims": victims,
    }
