"""Who repairs nodes."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft
from charts_py.providers.provisioned_by import is_provisioned_by

_PATH = ("eks", "nodeRepair")


def check_node_repair(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where Karpenter makes the nodes, whose repair is a switch of its own."""
    is_wanted = draft.cluster.eks is not None and draft.cluster.eks.node_repair
    if is_wanted and is_provisioned_by(draft, EksProvisioner.KARPENTER):
        what = "Karpenter repairs nodes by its feature gate NodeRepair, which is set where it runs"
        yield Problem(_PATH, what, f'only with provisioner "{EksProvisioner.EKSCTL}"')
