"""The priority classes of Kubernetes itself, and that of the platform's own pods."""

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.queues import PLATFORM_PRIORITY

NODE_CRITICAL = "system-node-critical"
CLUSTER_CRITICAL = "system-cluster-critical"
CRITICAL_PRIORITY_CLASSES = (CLUSTER_CRITICAL, NODE_CRITICAL)
"""https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/"""


def platform_priority(cluster: Cluster) -> str:
    """Return the platform's own rung, or the highest of a ladder that has none."""
    ladder = cluster.priorities
    if PLATFORM_PRIORITY in ladder:
        return PLATFORM_PRIORITY
    return max(ladder, key=lambda name: ladder[name].value)
