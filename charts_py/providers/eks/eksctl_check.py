"""What eksctl cannot make a node group of."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.hardware import NodeHardware
from charts_py.providers.provisioned_by import is_provisioned_by
from charts_py.spec.fault import Problem
from charts_py.spec.provider import EksProvisioner
from gpus.interconnect import Interconnect


def check_eksctl(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool with EFA that eksctl cannot make a node group of."""
    if not is_provisioned_by(draft, EksProvisioner.EKSCTL):
        return
    for pool in draft.pools:
        hardware = pool.hardware
        if hardware is not None and hardware.interconnect is Interconnect.EFA:
            yield from _without_adapter(pool, hardware)
            if draft.is_whole((*pool.path, "zones")):
                yield from _beyond_a_zone(pool)


def _without_adapter(pool: DraftPool, hardware: NodeHardware) -> Iterator[Problem]:
    """Yield a problem where the first network card takes no adapter.

    eksctl makes the primary interface one of EFA
    (https://github.com/eksctl-io/eksctl pkg/cfn/builder/network_interfaces.go, v0.230.0).
    """
    if hardware.machine is not None and hardware.machine.rdma_first_card > 0:
        what = (
            "eksctl puts an adapter on the first network card, and that of "
            f"{hardware.machine.name} takes none"
        )
        allowed = f'"{Interconnect.ETHERNET}", or provisioner "{EksProvisioner.KARPENTER}"'
        yield Problem((*pool.path, "interconnect"), what, allowed)


def _beyond_a_zone(pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem where the nodes may be in more than one zone.

    eksctl refuses several; without one it takes the subnets of all, though not every machine of its
    cluster placement group could be made there
    (https://github.com/eksctl-io/eksctl pkg/apis/eksctl.io/v1alpha5/validation.go and
    pkg/cfn/builder/managed_launch_template.go, v0.230.0).
    """
    zones = pool.spec.zones
    if len(zones) != 1:
        what = f"{len(zones) or 'no'} zones; eksctl makes a node group with EFA in one"
        allowed = f'one zone, or interconnect "{Interconnect.ETHERNET}"'
        yield Problem((*pool.path, "zones"), what, allowed)
