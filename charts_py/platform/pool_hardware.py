"""The hardware and topology of a pool's nodes, by instance type or as the file declares it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.pool import Pool
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.provider_facts import NodeHardware, ProviderFacts
from charts_py.platform.unknown_hardware import (
    no_instance_type,
    unknown_instance_type,
    unknown_model,
)
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType, Interconnect
from gpus.pool_facts import Advertiser

HOSTNAME = "kubernetes.io/hostname"
NVLINK_DOMAIN = "nvidia.com/gpu.clique"
"""Machines that NVLink joins, as GPU feature discovery labels them
(https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/dra-cds.html)."""
DECLARED = ("gpu", "gpus", "cpu", "memory")
"""Fields of a pool that state its hardware where no table lists it."""


class HardwareError(Exception):
    """Why the hardware of a pool is unknown."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("; ".join(problem.what for problem in problems))


def resolve_hardware(name: str, pool: Pool, facts: ProviderFacts, catalog: Catalog) -> NodeHardware:
    """Return the hardware of a pool's nodes; `catalog` has what the cluster file describes, too.

    Raises HardwareError where it is unknown or stated twice.
    """
    path, provider = ("pools", name), facts.name
    if not facts.makes_nodes:
        if pool.instance_type is not None:
            what = f"{provider} has no instance types"
            raise HardwareError(Problem((*path, "instanceType"), what, _of_one_node(DECLARED)))
        return _declared(path, pool, catalog)
    if pool.instance_type is None and pool.instance_types:
        smallest = "the smallest of instanceTypes, which stands for all"
        raise HardwareError(Problem((*path, "instanceType"), "missing", smallest))
    if pool.instance_type is None:
        raise HardwareError(no_instance_type(path, (pool.gpu, pool.gpus), provider, catalog))
    instance_type = catalog.instance_types[provider].get(pool.instance_type)
    if instance_type is not None:
        hardware = _known(path, pool, instance_type, catalog)
        return replace(hardware, larger=tuple(_larger(path, pool, hardware, catalog)))
    if pool.gpu is not None and pool.instance_types:
        what = f"no table says what {pool.instance_type} has in common with others"
        alone = "no instanceTypes, or hardware.instanceTypes that describes it"
        raise HardwareError(Problem((*path, "instanceTypes"), what, alone))
    if pool.gpu is not None:
        return _declared(path, pool, catalog)
    raise HardwareError(unknown_instance_type(path, pool.instance_type, provider, catalog))


def _known(
    path: FieldPath, pool: Pool, instance_type: InstanceType, catalog: Catalog
) -> NodeHardware:
    repeated = [field for field in DECLARED if getattr(pool, field) is not None]
    if repeated:
        what = f"it is defined by the instance type {instance_type.name}; remove this line"
        raise HardwareError(*(Problem((*path, field), what) for field in repeated))
    fastest = instance_type.rdma or Interconnect.ETHERNET
    interconnect = pool.interconnect or fastest
    return NodeHardware(
        model=catalog.model(instance_type.gpu),
        gpus=instance_type.gpus,
        cpu=instance_type.cpu,
        memory=int(instance_type.memory_gib * 2**30),
        interconnect=interconnect,
        interconnect_interfaces=instance_type.rdma_interfaces if interconnect is fastest else 0,
        local_nvme_gib=instance_type.local_nvme_gib,
        machine=instance_type,
    )


def _larger(
    path: FieldPath, pool: Pool, hardware: NodeHardware, catalog: Catalog
) -> Iterator[InstanceType]:
    """Yield the further instance types; raise HardwareError where the first does not stand for one.

    With EFA its network interfaces are those of every node.
    """
    first = hardware.machine
    assert first is not None  # noqa: S101 # it is one that a table lists
    for index, name in enumerate(pool.instance_types):
        other = catalog.instance_types[first.provider].get(name)
        if other is None:
            unknown = unknown_instance_type(path, name, first.provider, catalog)
            what, at = unknown.what, (*path, "instanceTypes", index)
            raise HardwareError(Problem(at, what, unknown.allowed, unknown.nearest))
        if wrong := _not_alike(first, other, hardware.interconnect):
            at = (*path, "instanceTypes", index)
            raise HardwareError(Problem(at, f"{name} has {wrong[0]}", wrong[1]))
        if other is not first:
            yield other


def _not_alike(
    first: InstanceType, other: InstanceType, network: Interconnect
) -> tuple[str, str] | None:
    """Return what an instance type has that the first does not stand for, and what is allowed."""
    if (other.gpu, other.gpus) != (first.gpu, first.gpus):
        gpus = f"{first.gpus} of {first.gpu}"
        return f"{other.gpus} of {other.gpu}", f"those with {gpus}, as {first.name} has"
    if (other.cpu, other.memory_gib) < (first.cpu, first.memory_gib) or (
        other.memory_gib < first.memory_gib
    ):
        return f"fewer CPUs or less memory than {first.name}", "as many and as much, or more"
    if other.accelerator != first.accelerator:
        return f"the accelerator {other.accelerator}", f"those with {first.accelerator}"
    network_of = [(one.rdma, one.rdma_interfaces, one.rdma_first_card) for one in (first, other)]
    if network is not Interconnect.ETHERNET and network_of[0] != network_of[1]:
        what = f"another network than {first.name}"
        return what, f'the same network, or interconnect "{Interconnect.ETHERNET}"'
    return None


def _declared(path: FieldPath, pool: Pool, catalog: Catalog) -> NodeHardware:
    model = catalog.models.get(pool.gpu or "")
    if model is None or pool.gpus is None or pool.cpu is None or pool.memory is None:
        raise HardwareError(*_check_undeclared(path, pool, catalog))
    return NodeHardware(
        model=model,
        gpus=pool.gpus,
        cpu=pool.cpu,
        memory=bytes_of(pool.memory),
        interconnect=pool.interconnect or Interconnect.ETHERNET,
    )


def _check_undeclared(path: FieldPath, pool: Pool, catalog: Catalog) -> Iterator[Problem]:
    if pool.gpu is not None and pool.gpu not in catalog.models:
        yield unknown_model((*path, "gpu"), pool.gpu, catalog)
    for field in DECLARED:
        if getattr(pool, field) is None:
            yield Problem((*path, field), "missing", _of_one_node((field,)))


def _of_one_node(fields: Sequence[str]) -> str:
    *others, last = fields
    return f"{', '.join(others)} and {last} of one node" if others else f"{last} of one node"


def topology_levels(pool: Pool, hardware: NodeHardware, provider: ProviderFacts) -> tuple[str, ...]:
    """Return the labels from the outermost to the node itself; none of a pool without topology.

    With the node as the last level Kueue heeds its taints, and replaces one that fails
    (https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/).
    """
    if pool.topology is None:
        return ()
    stated = pool.topology.levels or known_levels(hardware, provider)
    return (*(level for level in stated if level != HOSTNAME), HOSTNAME)


def known_levels(hardware: NodeHardware, provider: ProviderFacts) -> tuple[str, ...]:
    """Return the labels that nodes carry by themselves, the outermost first."""
    return provider.topology_levels(hardware) or nvlink_levels(hardware, provider)


def nvlink_levels(hardware: NodeHardware, provider: ProviderFacts) -> tuple[str, ...]:
    is_joined = hardware.model.nvlink_domain is not None
    return (NVLINK_DOMAIN,) if is_joined and provider.advertiser is Advertiser.OPERATOR else ()
