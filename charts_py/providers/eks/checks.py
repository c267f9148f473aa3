"""Checks of a cluster file that only EKS needs."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft, DraftPool, zone_problems
from charts_py.platform.provider_facts import NodeHardware
from charts_py.providers.definition import is_provisioned_by
from charts_py.providers.eks.ec2 import NEWEST_RELEASES
from gpus.instance_type import Interconnect
from gpus.model import NVIDIA
from gpus.purchase import Purchase
from gpus.table import read_table
from upstream.kubernetes_version import KubernetesVersion

_NODE_ROLE = ("eks", "nodeRole")
_NODE_REPAIR = ("eks", "nodeRepair")
_IMAGE_RELEASE = ("eks", "imageRelease")
_UBUNTU_SERIAL = r"20[0-9]{6}(\.[0-9]+)?"
"""https://documentation.ubuntu.com/aws/aws-how-to/instances/find-ubuntu-images/"""
_MORE_ADDRESSES = "more with eks.prefixDelegation, where the VPC CNI assigns prefixes"
_VPC = ("eks", "vpc")


def check_reservation(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of a reservation that does not name it, or cannot take it."""
    for pool in draft.pools:
        purchase = pool.spec.purchase
        if not (purchase.takes_reservation and draft.is_read((*pool.path, "purchase"))):
            continue
        if is_provisioned_by(draft, EksProvisioner.KARPENTER):
            # It would take any open one, that of another pool too, and never a block unnamed.
            if pool.spec.reservation is None:
                what = f"missing; Karpenter requires one where the purchase is {purchase}"
                allowed = f"one such as {draft.provider.reservation_example}"
                yield Problem((*pool.path, "reservation"), what, allowed)
        elif purchase is Purchase.CAPACITY_BLOCK and is_provisioned_by(
            draft, EksProvisioner.EKSCTL
        ):
            what = "nothing drains the nodes of a node group before the block ends"
            allowed = f'only with provisioner "{EksProvisioner.KARPENTER}"'
            yield Problem((*pool.path, "purchase"), what, allowed)


def check_node_role(draft: Draft) -> Iterator[Problem]:
    eks = draft.cluster.eks
    if eks is None or eks.node_role is not None or not draft.is_whole(_NODE_ROLE):
        return
    if is_provisioned_by(draft, EksProvisioner.KARPENTER):
        yield Problem(_NODE_ROLE, "missing", "the name of an IAM role; only eksctl makes its own")


def check_node_repair(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where Karpenter makes the nodes, whose repair is a switch of its own."""
    is_wanted = draft.cluster.eks is not None and draft.cluster.eks.node_repair
    if is_wanted and is_provisioned_by(draft, EksProvisioner.KARPENTER):
        what = "Karpenter repairs nodes by its feature gate NodeRepair, which is set where it runs"
        yield Problem(_NODE_REPAIR, what, f'only with provisioner "{EksProvisioner.EKSCTL}"')


def check_image_release(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a release that is not one of the cluster's image, or is missing."""
    eks = draft.cluster.eks
    if eks is None or not (draft.has_provider_settings and draft.has_driver_owner):
        return
    if draft.driver_owner is DriverOwner.OPERATOR:
        yield from _check_ubuntu(draft, eks.image_release)
    elif draft.is_read(("kubernetes",)):
        yield from _check_amazon_linux(draft.cluster.kubernetes, eks.image_release)


def _check_amazon_linux(version: KubernetesVersion, release: str | None) -> Iterator[Problem]:
    pattern = rf"{re.escape(version)}\.[0-9]+-20[0-9]{{6}}"
    allowed = f"one such as {version}.6-20260714"
    if release is None and version not in NEWEST_RELEASES:
        what = f"missing; no release of Amazon Linux for Kubernetes {version} is known"
        yield Problem(_IMAGE_RELEASE, what, allowed)
    if release is not None and not re.fullmatch(pattern, release):
        what = f'"{release}" is not a release of Amazon Linux for Kubernetes {version}'
        yield Problem(_IMAGE_RELEASE, what, allowed)


def _check_ubuntu(draft: Draft, release: str | None) -> Iterator[Problem]:
    if is_provisioned_by(draft, EksProvisioner.EKSCTL):
        if release is not None:
            what = "eksctl takes the newest Ubuntu for a node group, which then keeps it"
            yield Problem(_IMAGE_RELEASE, f"{what}; remove this line")
    elif release is None:
        what = f'missing; the driver\'s owner is "{DriverOwner.OPERATOR}", so nodes run Ubuntu'
        yield Problem(_IMAGE_RELEASE, what, "one such as 20260714")
    elif not re.fullmatch(_UBUNTU_SERIAL, release):
        what = f'"{release}" is not a serial of Ubuntu'
        yield Problem(_IMAGE_RELEASE, what, "one such as 20260714")


def check_numa(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose kubelets nothing configures: Ubuntu has no nodeadm."""
    if not draft.has_driver_owner or draft.driver_owner is not DriverOwner.OPERATOR:
        return
    for pool in draft.pools:
        if pool.spec.numa is not None:
            what = f'the driver\'s owner is "{DriverOwner.OPERATOR}", so nodes run Ubuntu'
            allowed = f'only with driver.owner "{DriverOwner.IMAGE}", whose nodes run Amazon Linux'
            yield Problem((*pool.path, "numa"), what, allowed)


def check_pod_addresses(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose nodes shall hold more pods than have an address."""
    for pool in draft.pools:
        if pool.addressed_pods is not None and draft.has_provider_settings:
            yield from _check_addresses(pool, pool.addressed_pods)


def _check_addresses(pool: DraftPool, addressed: int) -> Iterator[Problem]:
    has = f"a node has addresses for {addressed}"
    if pool.max_pods > addressed:
        what = f"{pool.max_pods} pods; {has}"
        yield Problem((*pool.path, "maxPods"), what, f"at most {addressed}; {_MORE_ADDRESSES}")
    elif pool.facts is not None and pool.facts.allocations_per_node > addressed:
        what = f"a node offers {pool.facts.allocations_per_node} allocations; {has} pods"
        yield Problem((*pool.path, "sharing"), what, f"at most {addressed}; {_MORE_ADDRESSES}")


def check_vpc(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a VPC that nothing reads, or that lacks a subnet of a pool's zone."""
    vpc = draft.cluster.eks.vpc if draft.cluster.eks else None
    if vpc is None or not draft.is_whole(_VPC):
        return
    if is_provisioned_by(draft, EksProvisioner.KARPENTER):
        what = "Karpenter finds subnets and security groups by their tags"
        yield Problem(_VPC, what, f'only with provisioner "{EksProvisioner.EKSCTL}"')
    if is_provisioned_by(draft, EksProvisioner.EKSCTL):
        subnets = [((*_VPC, "subnets", zone), zone) for zone in vpc.subnets]
        yield from zone_problems(draft, subnets)
        for path, zone in chain.from_iterable(pool.zones for pool in draft.pools):
            if zone not in vpc.subnets and draft.is_read(path):
                what = f'eks.vpc.subnets has none in "{zone}"'
                yield Problem(path, what, ", ".join(vpc.subnets))


def check_eksctl(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that eksctl cannot make a node group of."""
    if not is_provisioned_by(draft, EksProvisioner.EKSCTL):
        return
    for pool in draft.pools:
        hardware = pool.hardware
        if hardware is None:
            continue
        if draft.has_driver_owner and draft.driver_owner is DriverOwner.IMAGE:
            yield from _check_driver(pool, hardware)
        if hardware.interconnect is Interconnect.EFA:
            yield from _check_adapter(pool, hardware)
            if draft.is_whole((*pool.path, "zones")):
                yield from _check_one_zone(pool)


@cache
def known_to_eksctl() -> frozenset[str]:
    """Return the machines for which eksctl takes an image with NVIDIA's driver."""
    sizes = read_table("instance_types_eks")["eksctl"]
    return frozenset(f"{family}.{size}" for family in sizes for size in sizes[family])


def _check_driver(pool: DraftPool, hardware: NodeHardware) -> Iterator[Problem]:
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


def _check_adapter(pool: DraftPool, hardware: NodeHardware) -> Iterator[Problem]:
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


def _check_one_zone(pool: DraftPool) -> Iterator[Problem]:
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
