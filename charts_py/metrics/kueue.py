"""The metrics of Kueue that rules read.

Source: pkg/metrics/metrics.go of https://github.com/kubernetes-sigs/kueue at v0.19.2. Those of
quotas are there with `metrics.enableClusterQueueResources`. Each replica serves them all, so that
only the one that leads counts.
"""

LEADING = 'replica_role!="follower"'
"""Selects the replica that leads, or the only one."""

PENDING_WORKLOADS = "kueue_pending_workloads"
ADMITTED_WORKLOADS = "kueue_admitted_workloads_total"
EVICTED_WORKLOADS = "kueue_evicted_workloads_total"
NOMINAL_QUOTA = "kueue_cluster_queue_nominal_quota"
RESOURCE_USAGE = "kueue_cluster_queue_resource_usage"
