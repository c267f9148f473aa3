"""Queries of what Kueue serves, by the teams, namespaces and pools whose names its series bear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.dashboards.queries import TEAM
from charts_py.grafana.query import Query
from charts_py.grafana.unit import Unit
from charts_py.metrics.joins import WITH_TEAM
from charts_py.metrics.recorded import NAMESPACE_TEAM

if TYPE_CHECKING:
    from charts_py.grafana.query import Metric
    from charts_py.metrics.kueue import KueueMetric

_NAMESPACE = "team, namespace"


def of_teams(
    value: str,
    legend: str,
    reads: tuple[Metric, ...],
    by: str = _NAMESPACE,
    queue: str = "cluster_queue",
) -> Query:
    """Return the sum of a value of queues, of the teams that are chosen.

    `queue` is the label that names the ClusterQueue, whose name is that of its namespace.
    """
    expression = f"sum by ({by}) ({_of_teams(value, queue)})"
    return Query(expression, legend, (*reads, NAMESPACE_TEAM))


def quantile_of_teams(quantile: float, buckets: KueueMetric, legend: str) -> Query:
    """Return the time in which that part of the jobs of each namespace got so far."""
    grew = f"sum by ({_NAMESPACE}, le) ({_of_teams(grown(buckets), 'cluster_queue')})"
    return Query(
        f"histogram_quantile({quantile}, {grew})", legend, (buckets, NAMESPACE_TEAM), Unit.SECONDS
    )


def in_pools(value: str, legend: str, reads: tuple[Metric, ...]) -> Query:
    """Return the sum of a value of flavors, whose names are those of pools, over all queues."""
    return Query(f"sum by (pool, resource) ({_pool_named(value)})", legend, reads)


def grown(counter: KueueMetric) -> str:
    """Return by how much a counter has grown in the time that is shown.

    Its first event makes a series, which has not grown then: one that is new counts as a whole.
    Prometheus extrapolates growth, of which only whole events are kept.
    """
    new = f"{counter.led} unless last_over_time({counter.led}[1h] offset $__range)"
    return f"(({new}) or round(increase({counter.led}[$__range])))"


def _of_teams(value: str, queue: str) -> str:
    named = f'label_join({_pool_named(value)}, "namespace", "", "{queue}")'
    return f"{named} {WITH_TEAM}{{{TEAM}}}"


def _pool_named(value: str) -> str:
    return f'label_join({value}, "pool", "", "flavor")'
