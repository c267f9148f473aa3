"""Alerts on GPUs that are held and not used, by what DCGM measures and never by the CPU."""

from charts_py.components.gpu_metrics.thresholds import PoolThreshold, of_pool
from charts_py.metrics.kube_state import CONTAINER_REQUESTS, POD_PHASE
from charts_py.metrics.recorded import GPU_USED, POOL_ALLOCATED, POOL_USED, QUOTA
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.recording_rule import RecordingRule

_BUSY = 0.01
"""More than what the driver does for itself."""
_LOW_USE = 0.3

_LAST_USED = "gpu:gpuplane_last_used:timestamp_seconds"
_HELD = f'{GPU_USED.name}{{pod!=""}}'

LAST_USED = RecordingRule(
    _LAST_USED,
    f"timestamp({_HELD} > {_BUSY}) or ({_LAST_USED} and {_HELD}) or timestamp({_HELD})",
)
"""Now while the GPU is busy, what it was before while it is not, and at first the present."""

_WAITING = (
    f'count by (namespace, resource) ({CONTAINER_REQUESTS.name}{{node=""}}'
    f' and on (namespace, pod) {POD_PHASE.name}{{phase="Pending"}} == 1)'
)
"""Containers that ask for a resource and have no node."""

IDLE = Alert(
    name="GpuplaneGpuIdle",
    expression=f"(time() - {_LAST_USED}) / 60 > {of_pool(PoolThreshold.IDLE_MINUTES)}",
    lasting="5m",
    severity=Severity.INFO,
    summary="Pod {{ $labels.namespace }}/{{ $labels.pod }} has held GPU {{ $labels.UUID }} of pool"
    " {{ $labels.pool }} for longer than the pool allows, and not used it.",
    remedy="Ask its team whether the pod can go, as a notebook that nobody looks at. Where pauses"
    " are usual, set `pools.NAME.alerts.idleMinutes`.",
    source="`pools.NAME.alerts.idleMinutes`, 60 by default: more than loading a model or writing a"
    " checkpoint takes. Time in which the engine was active for 1 % or less is no use.",
)
LOW_USE = Alert(
    name="GpuplanePoolLittleUsedWhilePodsWait",
    expression=f"{POOL_USED.name} / {POOL_ALLOCATED.name} < {_LOW_USE} and on (pool)"
    f" sum by (pool) (({QUOTA.name} > 0)"
    f" * on (namespace, resource) group_left () {_WAITING}) > 0",
    lasting="30m",
    severity=Severity.WARNING,
    summary="Pods wait for GPUs that pool {{ $labels.pool }} has, of which those who hold them use"
    " {{ $value | humanizePercentage }}.",
    remedy="Look at which teams use theirs least, on the dashboards of the pool: smaller requests,"
    " MIG or time-slicing where pods need less than a GPU, or a smaller quota.",
    source="Below a third, three could run where one does; half an hour leaves out starts.",
)

ALERTS = (IDLE, LOW_USE)
