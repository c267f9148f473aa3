"""The cluster files that the arguments of a command name."""

from collections.abc import Sequence
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, find_cluster_files
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError
from gpuplane.versions.dist_error import unknown_name


def selected_clusters(files: ClusterFiles, names: Sequence[str]) -> tuple[Path, ...]:
    """Return the files of these clusters, or all without names; raise RenderError for others."""
    by_name = {file.stem: file for file in files.clusters}
    for name in (name for name in names if name not in by_name):
        raise RenderError(unknown_name("cluster", name, by_name))
    return tuple(by_name[name] for name in names) or files.clusters


def selected_platforms(clusters: Path, names: Sequence[str]) -> tuple[Platform, ...]:
    """Load the clusters of a folder that the names select, or all without names.

    Raises SpecError with every fault, and RenderError for an unknown name.
    """
    files = find_cluster_files(clusters)
    return load_platforms(ClusterFiles(files.fleet, selected_clusters(files, names)))
