"""The priority class of the platform's own pods."""

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.priority import PLATFORM_PRIORITY


def platform_priority(cluster: Cluster) -> str:
    """Return the platform's own rung, or the highest of a ladder that has none."""
    ladder = cluster.priorities
    if PLATFORM_PRIORITY in ladder:
        return PLATFORM_PRIORITY
    return max(ladder, key=lambda name: ladder[name].value)
