"""The admission rules of a cluster, read from its file.

Each function raises DistError for a cluster without a file in the folder, and SpecError where its
file, that of a worker or `fleet.yaml` is wrong.
"""

from pathlib import Path

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.components.object_policies import object_policies
from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.versions.tree import unknown
from policies.engine import Engine


def cluster_rules(clusters: Path, name: str) -> ClusterRules:
    platform = cluster_platform(clusters, name)
    settings = policy_settings(platform)
    return ClusterRules(
        Engine(settings),
        {worker.name: Engine(policy_settings(worker)) for worker in platform.workers},
        platform.taken_for_workers,
        ObjectPolicies([*object_policies(platform)], settings),
    )


def cluster_platform(clusters: Path, name: str) -> Platform:
    files = find_cluster_files(clusters)
    by_name = {file.stem: file for file in files.clusters}
    if name not in by_name:
        raise unknown("cluster", name, by_name, clusters)
    return load_platform(by_name[name], files.fleet)


def cluster_engine(clusters: Path, name: str) -> Engine:
    """Return the rules as the webhook of a cluster applies them."""
    return Engine(policy_settings(cluster_platform(clusters, name)))
