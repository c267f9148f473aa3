"""Sharing of GPUs in a ComputeClass."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.cluster_file.pool import SharingSpec
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft
from charts_py.platform.feature_problem import feature_problem
from charts_py.providers.provisioned_by import is_provisioned_by


def check_sharing(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose class could not say how its GPUs are shared."""
    if not is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        return
    for pool in draft.pools:
        if pool.spec.sharing != SharingSpec():
            path = (*pool.path, "sharing")
            yield from feature_problem(draft, path, Feature.COMPUTE_CLASS_SHARING)
