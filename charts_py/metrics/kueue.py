"""The metrics of Kueue that rules read.

Source: pkg/metrics/metrics.go of https://github.com/kubernetes-sigs/kueue at v0.19.2. Those of
quotas and resources are there with `metrics.enableClusterQueueResources`. Each replica serves them
all, so that only the one that leads counts.
"""

from __future__ import annotations

from dataclasses import dataclass

LEADING = 'replica_role!="follower"'
"""Selects the replica that leads, or the only one."""

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

    @property
    def led(self) -> str:
        """The series of the replica that leads, in PromQL."""
        return f"{self.name}{{{LEADING}}}"


NOMINAL_QUOTA = KueueMetric(
    "kueue_cluster_queue_nominal_quota",
    "What a queue has of its own of a `resource` in a `flavor`, which is a pool",
    _FLAVOR,
)
RESERVED_RESOURCES = KueueMetric(
    "kueue_cluster_queue_resource_reservation",
    "What jobs hold that were let start, or that wait for nothing but their nodes",
    _FLAVOR,
)
RESOURCE_USAGE = KueueMetric(
    "kueue_cluster_queue_resource_usage", "What jobs hold that were let start", _FLAVOR
)
PENDING_RESOURCES = KueueMetric(
    "kueue_cluster_queue_resource_pending",
    "What waiting jobs ask for, of every `resource`, also of those without a quota",
    (*_QUEUE, "resource"),
)
EVICTED_WORKLOADS = KueueMetric(
    "kueue_evicted_workloads_total",
    "Times that a job gave back what it held, by `reason` and by the `underlying_cause` of that",
    (*_CLASS, "reason", "underlying_cause"),
)

KUEUE_METRICS = (
    NOMINAL_QUOTA,
    RESERVED_RESOURCES,
    RESOURCE_USAGE,
    PENDING_RESOURCES,
    EVICTED_WORKLOADS,
)
