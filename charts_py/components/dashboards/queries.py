"""The queries that dashboards use many times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from charts_py.grafana.query import Metric, Query
from charts_py.metrics.joins import WITH_POOL
from charts_py.metrics.recorded import NODE_POOL, POOL_CAPACITY

if TYPE_CHECKING:
    from charts_py.grafana.unit import Unit

POOL = 'pool=~"$pool"'
TEAM = 'team=~"$team"'
NODE = 'node=~"$node"'
PODS = 'namespace="$namespace", pod=~"$pod"'
USING_PODS = 'exported_namespace="$namespace", exported_pod=~"$pod"'
"""The same pods, as exporters name those that use a GPU."""

_WINDOW = "$__rate_interval"
_STEP = "15s"
"""A quarter of the shortest window, which is four scrapes at the default interval."""


class GpuMetric(Metric, Protocol):
    """A metric of GPUs."""

    @property
    def told_apart_by(self) -> tuple[str, ...]:
        """The labels that tell them apart, those of a node and of a GPU on it."""


def total(
    series: Metric, legend: str, where: str = "", by: str = "", unit: Unit | None = None
) -> Query:
    """Return a sum, by labels where they are given."""
    return Query(f"sum{_by(by)} ({series.name}{_matching(where)})", legend, (series,), unit)


def share_of_capacity(part: Metric, legend: str) -> Query:
    """Return what part a figure of pools is of their capacity, where that is known."""
    whole = f"{POOL_CAPACITY.name} and on (pool) {part.name}"
    return Query(f"sum ({part.name}) / sum ({whole})", legend, (part, POOL_CAPACITY))


def over_the_time_shown(
    series: Metric, legend: str, where: str = "", by: str = "", per: int = 1
) -> Query:
    """Return the sum of a figure of the last hour, one of each hour of the time that is shown."""
    hours = f"sum_over_time({series.name}{_matching(where)}[$__range:1h])"
    divided = f" / {per}" if per != 1 else ""
    return Query(f"sum{_by(by)} ({hours}){divided}", legend, (series,))


def of_each_gpu(counter: GpuMetric, where: str, legend: str = "", also_by: str = "") -> Query:
    """Return the values of a counter by GPU, or by MIG instance where it is of that.

    Pods that share a GPU each have a copy of its row, and so has each instance of what is measured
    of the whole GPU.
    """
    expression = _max_of_each_gpu(counter, _matching(where), also_by)
    return Query(expression, legend or name_of_gpu(counter), (counter,))


def grown_of_each_gpu(counter: GpuMetric, where: str, what: str) -> Query:
    """Return by how much a counter has grown a second; `what` it counts, in short.

    The rows of a GPU are one counter before it is asked: the row of its next pod has not grown when
    it appears.
    """
    each = _max_of_each_gpu(counter, _matching(where), "")
    growth = f"rate(({each})[{_WINDOW}:{_STEP}])"
    return Query(growth, f"{name_of_gpu(counter)}: {what}", (counter,))


def name_of_gpu(counter: GpuMetric) -> str:
    """Return the name of the GPU that a counter is of, or of its instance."""
    return " ".join(f"{{{{{label}}}}}" for label in counter.told_apart_by)


def by_node_of_pools(operation: str, counter: GpuMetric, legend: str = "{{node}}") -> Query:
    """Return what an operation, such as `max`, makes of the GPUs of each node of the pools."""
    each = _max_of_each_gpu(counter, "", "")
    joined = f"({each}) {WITH_POOL}{{{POOL}}}"
    return Query(f"{operation} by (node) ({joined})", legend, (counter, NODE_POOL))


def rate_of(counter: Metric, legend: str, where: str = "", by: str = "") -> Query:
    """Return how often a counter grows a second."""
    rate = f"rate({counter.name}{_matching(where)}[{_WINDOW}])"
    return Query(f"sum{_by(by)} ({rate})", legend, (counter,))


def _max_of_each_gpu(counter: GpuMetric, matching: str, also_by: str) -> str:
    return f"max by ({_labels(counter, also_by)}) ({counter.name}{matching})"


def _labels(counter: GpuMetric, also_by: str) -> str:
    return ", ".join((*counter.told_apart_by, also_by) if also_by else counter.told_apart_by)


def _by(labels: str) -> str:
    return f" by ({labels})" if labels else ""


def _matching(where: str) -> str:
    return f"{{{where}}}" if where else ""
