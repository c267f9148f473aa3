"""What `gpuplane priorities` is asked for: the clusters to show."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, find_cluster_files
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from gpuplane.release.selected_clusters import selected_clusters
from gpuplane.reports.priorities.contention import Contention, contentions
from gpuplane.reports.priorities.ladder import Ladder, ladder_of
from gpus.allocator import Allocator


@dataclass(frozen=True, slots=True)
class ClusterPriorities:
    """Who may evict whom in a cluster."""

    ladder: Ladder
    contentions: tuple[Contention, ...]
    without_preemption: tuple[str, ...]
    """Pools for whose GPUs nobody is evicted."""
    extended: bool
    """Whether extensions may change classes or add some, which are not read here."""


def priorities_of(clusters: Path, names: tuple[str, ...]) -> tuple[ClusterPriorities, ...]:
    """Return the priorities of clusters; all without names.

    Raises SpecError with every fault, and RenderError for an unknown name.
    """
    files = find_cluster_files(clusters)
    chosen = ClusterFiles(files.fleet, selected_clusters(files, names))
    return tuple(map(cluster_priorities, load_platforms(chosen)))


def cluster_priorities(platform: Platform) -> ClusterPriorities:
    """Return who may evict whom in a cluster."""
    ladder = ladder_of(platform)
    return ClusterPriorities(
        ladder=ladder,
        contentions=tuple(contentions(platform, ladder)),
        without_preemption=tuple(_by_dra(platform)),
        extended=platform.cluster.extensions != type(platform.cluster.extensions)(),
    )


def _by_dra(platform: Platform) -> Iterator[str]:
    return (pool.name for pool in platform.pools_by(Allocator.DRA))
