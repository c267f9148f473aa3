"""How many nodes a node pool of GKE starts with.

Its autoscaler brings no pool up to its minimum: a pool that starts empty stays so until a pod needs
a node (https://cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler, on minimum and
maximum node pool size).
"""

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.pool import Pool

_ZONES_OF_A_REGION = 3
"""Zones of a regional cluster, unless who created it named others
(https://cloud.google.com/kubernetes-engine/docs/concepts/regional-clusters)."""


def zones_of(pool: Pool, cluster: Cluster) -> int:
    """Return the number of zones that the nodes of a pool are spread over."""
    if pool.zones:
        return len(pool.zones)
    is_zonal = cluster.gke is not None and cluster.gke.location != cluster.region
    return 1 if is_zonal else _ZONES_OF_A_REGION


def initial_nodes_per_zone(pool: Pool, cluster: Cluster) -> int:
    """Return the nodes of each zone that make up, all together, those which are kept."""
    return -(-pool.nodes.kept // zones_of(pool, cluster))
