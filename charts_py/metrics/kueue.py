"""The metrics of Kueue that rules and dashboards read.

Source: pkg/metrics/metrics.go of https://github.com/kubernetes-sigs/kueue at v0.19.2. Those of
quotas and resources are there with `metrics.enableClusterQueueResources`. Each replica serves them
all, so that only the one that leads counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpus.platform_names import NVLINK_CHANNEL, PLACED

LEADING = 'replica_role!="follower"'
"""Selects the replica that leads, or the only one."""

_SCARCE = f'resource!~"pods|{NVLINK_CHANNEL}"'
"""Leaves out what there is any number of: pods, in a manager of MultiKueue, and channels."""
_ONCE = f'flavor!="{PLACED}"'
"""Leaves out the second flavor there, which has the same quota as the first."""
_QUEUE = ("cluster_queue",)
_FLAVOR = ("cohort", "cluster_queue", "flavor", "resource")
_CLASS = ("cluster_queue", "priority_class")


@dataclass(frozen=True, slots=True)
class KueueMetric:
    """A metric, as Prometheus names it."""

    name: str
    help: str
    """What it is, and its unit."""
    labels: tuple[str, ...]
    """Those that it has beside `replica_role` and the labels of the target."""
    counted: tuple[str, ...] = ()
    """Matchers of the series that count."""

    @property
    def led(self) -> str:
        """The series of the replica that leads, in PromQL."""
        return f"{self.name}{{{', '.join((LEADING, *self.counted))}}}"


NOMINAL_QUOTA = KueueMetric(
    "kueue_cluster_queue_nominal_quota",
    "What a queue has of its own of a `resource` in a `flavor`, which is a pool",
    _FLAVOR,
    (_SCARCE, _ONCE),
)
RESERVED_RESOURCES = KueueMetric(
    "kueue_cluster_queue_resource_reservation",
    "What jobs hold that were let start, or that wait for nothing but their nodes",
    _FLAVOR,
    (_SCARCE,),
)
RESOURCE_USAGE = KueueMetric(
    "kueue_cluster_queue_resource_usage",
    "What jobs hold that were let start",
    _FLAVOR,
    (_SCARCE,),
)
PENDING_RESOURCES = KueueMetric(
    "kueue_cluster_queue_resource_pending",
    "What waiting jobs ask for, of every `resource`, also of those without a quota",
    (*_QUEUE, "resource"),
    (_SCARCE,),
)
PENDING_WORKLOADS = KueueMetric(
    "kueue_pending_workloads",
    "Waiting jobs; those that are `inadmissible` are tried again once something changes",
    (*_QUEUE, "status"),
)
ADMITTED_WORKLOADS = KueueMetric(
    "kueue_admitted_workloads_total", "Times that a job was let start", _CLASS
)
ADMISSION_WAIT = KueueMetric(
    "kueue_admission_wait_time_seconds_bucket",
    "Histogram of the time from when a job was created or waited again until it was let start",
    (*_CLASS, "le"),
)
READY_WAIT = KueueMetric(
    "kueue_admitted_until_ready_wait_time_seconds_bucket",
    "Histogram of the time from when a job was let start until all its pods were ready",
    (*_CLASS, "le"),
)
EVICTED_WORKLOADS = KueueMetric(
    "kueue_evicted_workloads_total",
    "Times that a job gave back what it held, by `reason` and by the `underlying_cause` of that",
    (*_CLASS, "reason", "underlying_cause"),
)
PREEMPTED_WORKLOADS = KueueMetric(
    "kueue_preempted_workloads_total",
    "Jobs evicted for one of the `preempting_cluster_queue`, by `reason`",
    ("preempting_cluster_queue", "reason"),
)
QUEUE_STATUS = KueueMetric(
    "kueue_cluster_queue_status",
    "1 for the `status` of a queue: active, pending while it lacks something, or terminating",
    (*_QUEUE, "status"),
)

KUEUE_METRICS = (
    NOMINAL_QUOTA,
    RESERVED_RESOURCES,
    RESOURCE_USAGE,
    PENDING_RESOURCES,
    PENDING_WORKLOADS,
    ADMITTED_WORKLOADS,
    ADMISSION_WAIT,
    READY_WAIT,
    EVICTED_WORKLOADS,
    PREEMPTED_WORKLOADS,
    QUEUE_STATUS,
)
