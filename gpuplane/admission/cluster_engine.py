"""The admission rules with the settings of one cluster."""

from pathlib import Path

from charts_py.platform.policy_settings import policy_settings
from gpuplane.admission.cluster_platform import cluster_platform
from policies.engine import Engine


def cluster_engine(clusters: Path, name: str) -> Engine:
    """Return the rules as the webhook of a cluster applies them.

    Raises DistError for a cluster without a file in the folder, and SpecError where its file or
    `fleet.yaml` is wrong.
    """
    return Engine(policy_settings(cluster_platform(clusters, name)))
