"""What eksctl cannot make a node group of."""

from collections.abc import Iterator
from functools import cache

from charts_py.cluster_file.driver import DriverOwner
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.hardware import NodeHardware
from charts_py.providers.provisioned_by import is_provisioned_by
from gpus.interconnect import Interconnect
from gpus.table import read_table
from gpus.vendor import NVIDIA


def check_eksctl(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that eksctl cannot make a node group of."""
    if not is_provisioned_by(draft, EksProvisioner.EKSCTL):
        return
    for pool in draft.pools:
        hardware = pool.hardware
        if hardware is None:
            continue
        if draft.has_driver_owner and draft.driver_owner is DriverOwner.IMAGE:
            yield from _without_driver(pool, hardware)
        if hardware.interconnect is Interconnect.EFA:
            yield from _without_adapter(pool, hardware)
            if draft.is_whole((*pool.path, "zones")):
                yield from _beyond_a_zone(pool)


@cache
def known_to_eksctl() -> frozenset[str]:
    """Return the machines for which eksctl takes an image with NVIDIA's driver."""
    sizes = read_table("instance_types_eks")["eksctl"]
    return frozenset(f"{family}.{size}" for family in sizes for size in sizes[family])


def _without_driver(pool: DraftPool, hardware: NodeHardware) -> Iterator[Problem]:
    """Yield a problem where eksctl does not know that the machine has GPUs.

    It then takes the plain image: nodes join, and no GPU ever appears on them.
    """
    machine = hardware.machine
    if machine is None or hardware.model.vendor != NVIDIA or machine.name in known_to_eksctl():
        return
    what = f"eksctl takes an image without NVIDIA's driver for {machine.name}"
    allowed = (
        f'provisioner "{EksProvisioner.KARPENTER}", driver.owner "{DriverOwner.OPERATOR}", or an '
        "instance type that eksctl knows"
    )
    yield Problem((*pool.path, "instanceType"), what, allowed)


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
