"""What eksctl cannot make a node group of."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.providers.provisioned_by import is_provisioned_by
from charts_py.spec.fault import Problem
from charts_py.spec.provider import EksProvisioner
from gpus.interconnect import Interconnect


def check_eksctl(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool with EFA whose first network card takes no adapter.

    eksctl makes the primary interface one of EFA
    (https://github.com/eksctl-io/eksctl pkg/cfn/builder/network_interfaces.go, v0.230.0).
    """
    if not is_provisioned_by(draft, EksProvisioner.EKSCTL):
        return
    for pool in draft.pools:
        hardware = pool.hardware
        if hardware is None or hardware.interconnect is not Interconnect.EFA:
            continue
        if hardware.machine is not None and hardware.machine.rdma_first_card > 0:
            what = (
                "eksctl puts an adapter on the first network card, and that of "
                f"{hardware.machine.name} takes none"
            )
            allowed = f'"{Interconnect.ETHERNET}", or provisioner "{EksProvisioner.KARPENTER}"'
            yield Problem((*pool.path, "interconnect"), what, allowed)
