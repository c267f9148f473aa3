"""The admission rules with the settings of one cluster."""

from pathlib import Path

from charts_py.load import find_cluster_files, load_platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.release.dist_error import unknown
from policies.engine import Engine


def cluster_engine(clusters: Path, name: str) -> Engine:
    """Return the rules as the webhook of a cluster applies them.

    Raises DistError for a cluster without a file in the folder, and SpecError where its file or
    `fleet.yaml` is wrong.
    """
    files = find_cluster_files(clusters)
    by_name = {file.stem: file for file in files.clusters}
    if name not in by_name:
        raise unknown("cluster", name, by_name, clusters)
    return Engine(policy_settings(load_platform(by_name[name], files.fleet)))
