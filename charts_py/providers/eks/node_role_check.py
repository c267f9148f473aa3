"""The role of the nodes that Karpenter starts."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft
from charts_py.providers.provisioned_by import is_provisioned_by

_PATH = ("eks", "nodeRole")


def check_node_role(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where Karpenter would have no role for its nodes."""
    eks = draft.cluster.eks
    if eks is None or eks.node_role is not None or not draft.is_whole(_PATH):
        return
    if is_provisioned_by(draft, EksProvisioner.KARPENTER):
        yield Problem(_PATH, "missing", "the name of an IAM role; only eksctl makes its own")
