"""A cluster by its name."""

from pathlib import Path

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from gpuplane.release.dist_error import unknown


def cluster_platform(clusters: Path, name: str) -> Platform:
    """Return the cluster of that name.

    Raises DistError for a cluster without a file in the folder, and SpecError where its file or
    `fleet.yaml` is wrong.
    """
    files = find_cluster_files(clusters)
    by_name = {file.stem: file for file in files.clusters}
    if name not in by_name:
        raise unknown("cluster", name, by_name, clusters)
    return load_platform(by_name[name], files.fleet)
