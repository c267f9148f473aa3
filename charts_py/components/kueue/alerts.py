"""Alerts on Kueue, and on jobs that wait in its queues."""

from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.metrics.kueue import (
    EVICTED_WORKLOADS,
    LEADING,
    NOMINAL_QUOTA,
    PENDING_RESOURCES,
    RESERVED_RESOURCES,
    RESOURCE_USAGE,
    KueueMetric,
)
from charts_py.platform.alert import Alert, Severity

METRICS_SERVICE = "kueue-controller-manager-metrics-service"
"""The Service before its metrics, by which Prometheus names the job."""
USED_SHARE = 0.5

_UP = f'up{{namespace="{KUEUE_NAMESPACE}", job="{METRICS_SERVICE}"}}'
_DOCUMENTED = "[Kueue's metrics](https://kueue.sigs.k8s.io/docs/reference/metrics/)"
_RESOURCE = "(cluster_queue, resource)"


def _by_resource(metric: KueueMetric) -> str:
    return f"sum by {_RESOURCE} ({metric.led})"


_WAIT = (
    f"{_by_resource(PENDING_RESOURCES)} > 0 and on {_RESOURCE} {_by_resource(NOMINAL_QUOTA)} > 0"
)
"""What has a quota: jobs ask for CPUs and memory as well, which Kueue does not count."""
_PENDING = f"{PENDING_RESOURCES.led}[15m]"
_RESERVED = f"{RESERVED_RESOURCES.led}[15m]"
_LET_START = f"resets({_PENDING}) > 0 or changes({_RESERVED}) > resets({_RESERVED})"
"""Less waits than before, or more is reserved: a gauge that falls is one that is reset."""
_NOT_READY = (
    f"{EVICTED_WORKLOADS.name}{{{LEADING},"
    ' underlying_cause=~"WaitForStart|WaitForRecovery|RequeuingLimitExceeded"}'
)
_IN_QUEUE = "the namespace {{ $labels.cluster_queue }}"

DOWN = Alert(
    name="GpuplaneKueueDown",
    expression=f"absent({_UP} == 1)",
    lasting="2m",
    severity=Severity.CRITICAL,
    summary="No replica of Kueue answers: no pod and no job starts in the namespaces of teams.",
    remedy=f"Look at the pods in {KUEUE_NAMESPACE}, their events first. If they are ready,"
    " Prometheus does not reach them, or may not read `/metrics`.",
    source="Two minutes are eight scrapes at the default interval, and more than a replica takes"
    " to start; Kueue's webhooks have the failure policy `Fail`.",
)
STUCK = Alert(
    name="GpuplaneQueueStuck",
    expression=f"{_WAIT} unless on {_RESOURCE} ({_LET_START})",
    lasting="6h",
    severity=Severity.WARNING,
    summary=f"Jobs wait in {_IN_QUEUE} for {{{{ $labels.resource }}}}, and for six hours none was"
    " let start.",
    remedy="`kubectl describe workload` says what the first of them waits for: GPUs that others"
    " hold, more than the queue can ever have, or a pool whose nodes do not come.",
    source=f"Six hours are a quarter of a day, in which short jobs come and go. {_DOCUMENTED}.",
)
IDLE = Alert(
    name="GpuplaneQuotaIdleWhileJobsWait",
    expression=f"{_WAIT} and on {_RESOURCE} {_by_resource(RESOURCE_USAGE)}"
    f" < {USED_SHARE} * {_by_resource(NOMINAL_QUOTA)}",
    lasting="1h",
    severity=Severity.INFO,
    summary=f"Jobs wait in {_IN_QUEUE} for {{{{ $labels.resource }}}}, and less than half of its"
    " own is in use.",
    remedy="`gpuplane queues` shows what it has of each pool: its jobs may ask for another pool,"
    " or for more at once than is free.",
    source="Kueue tries a job again as soon as another one ends, or gives back what it borrowed; a"
    f" half, since a large job leaves gaps of less. {_DOCUMENTED}.",
)
NOT_READY = Alert(
    name="GpuplaneJobsNotReady",
    # The first of a kind makes the series, which has not grown then; one that is back after
    # Prometheus was away is none.
    expression=f"sum by (cluster_queue) (increase({_NOT_READY}[3h]) > 0 or ({_NOT_READY} unless"
    f" last_over_time({_NOT_READY}[1h] offset 3h))) > 0",
    lasting="5m",
    severity=Severity.WARNING,
    summary=f"Jobs of {_IN_QUEUE} gave their GPUs back: not all their pods were ready in time.",
    remedy="Look at the events of their pods: nodes that do not come, images that are slow or"
    " missing, pods that end at once. Where they need longer, set `queues.readyMinutes` or"
    " `queues.recoveryMinutes`. The sixth time, the job is deactivated.",
    source="Five tries with pauses take three hours by default, of which one look sees several."
    f" {_DOCUMENTED}.",
)
ALERTS = (DOWN, STUCK, IDLE, NOT_READY)
