"""Alerts on GPUs that are held and not used, by what exporters measure and never by the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_metrics.thresholds import PoolThreshold, of_pool
from charts_py.metrics.free_allocations import FREE_ALLOCATIONS
from charts_py.metrics.kube_state import CONTAINER_REQUESTS, POD_PHASE
from charts_py.metrics.recorded import (
    GPU_LAST_USED,
    GPU_USED,
    POD_ALLOCATED,
    POOL_ALLOCATED,
    POOL_USED,
    QUOTA,
)
from charts_py.platform.alert import Alert, Severity

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform

_LOW_USE = 0.3

_WAITING = (
    f'max by (namespace, resource) ({CONTAINER_REQUESTS.name}{{node=""}}'
    f' and on (namespace, pod) {POD_PHASE.name}{{phase="Pending"}} == 1)'
)
"""The most that a container without a node asks for."""
_WAITING_BY_POOL = (
    f"({QUOTA.name} > 0 > bool 0) * on (namespace, resource) group_left () {_WAITING}"
)
"""The same of each pool that its namespace may use: which one it waits for is not known."""
_WANTED = (
    f"{_WAITING_BY_POOL} > on (pool, resource) group_left ()"
    f" max by (pool, resource) ({FREE_ALLOCATIONS})"
)
"""What waits for more than any node of the pool has free; else it waits for another pool."""
_UNMEASURED = f"sum by (pool) ({POD_ALLOCATED.name} unless on (node) {GPU_USED.name})"
"""GPUs that pods hold and whose use nobody measures."""
_USED_AT_MOST = f"({POOL_USED.name} + ({_UNMEASURED} or 0 * {POOL_USED.name}))"
"""With these, so that a node of many whose exporter starts anew does not silence the alert."""

IDLE = Alert(
    name="GpuplaneGpuIdle",
    expression=f"(time() - {GPU_LAST_USED.name}) / 60 > {of_pool(PoolThreshold.IDLE_MINUTES)}",
    lasting="5m",
    severity=Severity.INFO,
    # NVIDIA's exporter identifies GPUs by UUID, AMD's by gpu_id.
    summary="Pod {{ $labels.namespace }}/{{ $labels.pod }} has held GPU"
    " {{ $labels.UUID }}{{ $labels.gpu_id }} of node {{ $labels.node }}, pool {{ $labels.pool }},"
    " for longer than the pool allows, and not used it.",
    remedy="Ask its team whether the pod can go, as a notebook that nobody looks at. Where pauses"
    " are usual, set `pools.NAME.alerts.idleMinutes`.",
    source="`pools.NAME.alerts.idleMinutes`, 60 by default: more than loading a model or writing a"
    " checkpoint takes. Time in which the engine was active for 1 % or less is no use.",
)
LOW_USE = Alert(
    name="GpuplanePoolLittleUsedWhilePodsWait",
    expression=f"{_USED_AT_MOST} / {POOL_ALLOCATED.name} < {_LOW_USE} and on (pool) ({_WANTED})",
    lasting="30m",
    severity=Severity.WARNING,
    summary="Pods wait that may run on pool {{ $labels.pool }}, where no node has as many GPUs free"
    " as they ask for; those who hold its GPUs use {{ $value | humanizePercentage }} of them.",
    remedy="Look at which teams use theirs least, on the dashboards of the pool: smaller requests,"
    " MIG or time-slicing where pods need less than a GPU, or a smaller quota. Where a namespace"
    " may use several pools of one resource, its pods may wait for another of them: their node"
    " selector says which.",
    source="Below a third, three could run where one does; half an hour leaves out starts. GPUs of"
    " nodes that nobody measures count as used. A pod without a node has no pool: the quotas of its"
    " namespace say where it may run.",
)

ALERTS = (IDLE, LOW_USE)


def use_alerts(platform: Platform) -> tuple[Alert, ...]:
    """Return those of a platform whose use is measured.

    Without teams there are no quotas, from which the pool that a pod waits for is known.
    """
    return ALERTS if platform.cluster.teams else (IDLE,)
