"""What `gpuplane queues` is asked for: the clusters to show."""

from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, find_cluster_files
from charts_py.cluster_file.queues import Queues
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from gpuplane.release.selected_clusters import selected_clusters
from gpuplane.reports.queues.pool_ledger import NamespaceLine, PoolLine, namespace_lines, pool_lines


@dataclass(frozen=True, slots=True)
class ClusterQueues:
    """Who has what of the pools of a cluster."""

    cluster: str
    queues: Queues | None
    """None where a pod beyond the quota is refused instead."""
    pools: tuple[PoolLine, ...]
    namespaces: tuple[NamespaceLine, ...]


def queues_of(clusters: Path, names: tuple[str, ...]) -> tuple[ClusterQueues, ...]:
    """Return who has what in clusters; all without names.

    Raises SpecError with every fault, and RenderError for an unknown name.
    """
    files = find_cluster_files(clusters)
    chosen = ClusterFiles(files.fleet, selected_clusters(files, names))
    return tuple(map(cluster_queues, load_platforms(chosen)))


def cluster_queues(platform: Platform) -> ClusterQueues:
    """Return who has what of the pools of a cluster."""
    return ClusterQueues(
        cluster=platform.name,
        queues=platform.cluster.queues,
        pools=tuple(pool_lines(platform)),
        namespaces=tuple(namespace_lines(platform)),
    )
