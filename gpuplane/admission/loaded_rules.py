"""The admission rules of a cluster, read from its file."""

from pathlib import Path

from charts_py.platform.policy_settings import policy_settings
from gpuplane.admission.cluster_platform import cluster_platform
from gpuplane.admission.cluster_rules import ClusterRules
from policies.engine import Engine


def cluster_rules(clusters: Path, name: str) -> ClusterRules:
    """Return the rules of a cluster, and of those that run jobs for it.

    Raises DistError for a cluster without a file in the folder, and SpecError where its file, that
    of a worker or `fleet.yaml` is wrong.
    """
    platform = cluster_platform(clusters, name)
    return ClusterRules(
        Engine(policy_settings(platform)),
        {worker.name: Engine(policy_settings(worker)) for worker in platform.workers},
        platform.taken_for_workers,
    )
