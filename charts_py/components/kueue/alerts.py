"""Alerts on Kueue, and on jobs that wait in its queues."""

from charts_py.components.kueue.values import READY_WITHIN
from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.metrics.kueue import (
    ADMITTED_WORKLOADS,
    EVICTED_WORKLOADS,
    LEADING,
    NOMINAL_QUOTA,
    PENDING_WORKLOADS,
    RESOURCE_USAGE,
)
from charts_py.platform.alert import Alert, Severity

METRICS_SERVICE = "kueue-controller-manager-metrics-service"
"""The Service before its metrics, by which Prometheus names the job."""
USED_SHARE = 0.5

_UP = f'up{{namespace="{KUEUE_NAMESPACE}", job="{METRICS_SERVICE}"}}'
_DOCUMENTED = "[Kueue's metrics](https://kueue.sigs.k8s.io/docs/reference/metrics/)"


def _by_queue(metric: str) -> str:
    return f"sum by (cluster_queue) ({metric}{{{LEADING}}})"


_WAITS = f"{_by_queue(PENDING_WORKLOADS)} > 0"
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
    expression=f"{_WAITS} unless on (cluster_queue)"
    f" sum by (cluster_queue) (increase({ADMITTED_WORKLOADS}{{{LEADING}}}[15m])) > 0",
    lasting="6h",
    severity=Severity.WARNING,
    summary=f"Jobs wait in {_IN_QUEUE}, and for six hours none was let start.",
    remedy="`kubectl describe workload` says what the first of them waits for: GPUs that others"
    " hold, more than the queue can ever have, or a pool whose nodes do not come.",
    source=f"Six hours are a quarter of a day, in which short jobs come and go. {_DOCUMENTED}.",
)
IDLE = Alert(
    name="GpuplaneQuotaIdleWhileJobsWait",
    expression=f"{_WAITS} and on (cluster_queue) {_by_queue(RESOURCE_USAGE)}"
    f" < {USED_SHARE} * {_by_queue(NOMINAL_QUOTA)}",
    lasting="1h",
    severity=Severity.INFO,
    summary=f"Jobs wait in {_IN_QUEUE}, and less than half of its own GPUs are in use.",
    remedy="`gpuplane queues` shows what it has of each pool: its jobs may ask for another pool,"
    " or for more at once than is free.",
    source="Twice the time in which pods must be ready, so that nodes could start; a half, since a"
    f" large job leaves gaps of less. {_DOCUMENTED}.",
)
NOT_READY = Alert(
    name="GpuplaneJobsNotReady",
    expression=f"sum by (cluster_queue) (increase({EVICTED_WORKLOADS}{{{LEADING},"
    ' reason="PodsReadyTimeout"}[3h])) > 0',
    lasting="5m",
    severity=Severity.WARNING,
    summary=f"Jobs of {_IN_QUEUE} gave their GPUs back: not all their pods were ready within"
    f" {READY_WITHIN}.",
    remedy="Look at the events of their pods: nodes that do not come, images that are slow or"
    " missing, pods that end at once. After five times a job is not tried again.",
    source="Five tries with pauses take at least 2.5 hours, of which one look sees several."
    f" {_DOCUMENTED}.",
)
ALERTS = (DOWN, STUCK, IDLE, NOT_READY)
