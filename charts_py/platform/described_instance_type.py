"""Instance types that a cluster file describes."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import DescribedInstanceType
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.instance_type_name import instance_type_name_problems
from charts_py.platform.unknown_hardware import unknown_model
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType, Interconnect
from gpus.provider import Provider

_LEAST_ADDRESSES = 2
"""An interface has one for itself."""


def instance_type(
    name: str, provider: Provider, described: DescribedInstanceType, catalog: Catalog
) -> InstanceType:
    """Return the facts of an instance type that has no problems."""
    return InstanceType(
        name=name,
        provider=provider,
        gpu=described.gpu,
        gpus=described.gpus,
        cpu=described.cpu,
        memory_gib=bytes_of(described.memory) / 2**30,
        rdma=None if described.interconnect is Interconnect.ETHERNET else described.interconnect,
        rdma_interfaces=described.interconnect_interfaces,
        rdma_first_card=described.interconnect_first_card,
        local_nvme_gib=described.local_nvme_gib,
        pod_interfaces=described.pod_interfaces,
        interface_addresses=described.interface_addresses,
        topology_levels=catalog.topology_levels(provider, name),
    )


def instance_type_problems(
    path: FieldPath, provider: Provider, described: DescribedInstanceType, catalog: Catalog
) -> Iterator[Problem]:
    """Yield what is wrong with a described instance type; `catalog` has the described models."""
    offered, name = catalog.instance_types.get(provider), str(path[-1])
    if offered is None:
        yield Problem(
            path, f"{provider} has no instance types", "gpu, gpus, cpu and memory of a pool"
        )
    elif name in offered:
        yield Problem(path, f"{name} is listed, with all its facts; remove this description")
    else:
        yield from instance_type_name_problems(path, provider, name, catalog)
    yield from _interconnect(path, described)
    yield from _pod_addresses(path, described)
    yield from _network_cards(path, provider, described, catalog)


def unknown_gpu(
    path: FieldPath, described: DescribedInstanceType, catalog: Catalog
) -> Iterator[Problem]:
    """Yield a problem for a GPU model that is neither listed nor described."""
    if described.gpu not in catalog.models:
        yield unknown_model((*path, "gpu"), described.gpu, catalog)


def _interconnect(path: FieldPath, described: DescribedInstanceType) -> Iterator[Problem]:
    network, interfaces = described.interconnect, described.interconnect_interfaces
    what = f"{interfaces}; interconnect is {network}"
    if network is not Interconnect.ETHERNET and interfaces == 0:
        yield Problem((*path, "interconnectInterfaces"), what, "at least 1")
    elif network is Interconnect.ETHERNET and interfaces > 0:
        yield Problem((*path, "interconnectInterfaces"), what, "0")
    if network is Interconnect.ETHERNET and described.interconnect_first_card > 0:
        what = f"{described.interconnect_first_card}; interconnect is {network}"
        yield Problem((*path, "interconnectFirstCard"), what, "0")


def _pod_addresses(path: FieldPath, described: DescribedInstanceType) -> Iterator[Problem]:
    interfaces, addresses = described.pod_interfaces, described.interface_addresses
    if interfaces > 0 and addresses < _LEAST_ADDRESSES:
        what = f"{addresses}; podInterfaces is {interfaces}"
        yield Problem((*path, "interfaceAddresses"), what, f"at least {_LEAST_ADDRESSES}")
    elif addresses > 0 and interfaces == 0:
        yield Problem(
            (*path, "podInterfaces"), f"0; interfaceAddresses is {addresses}", "at least 1"
        )


def _network_cards(
    path: FieldPath, provider: Provider, described: DescribedInstanceType, catalog: Catalog
) -> Iterator[Problem]:
    """Yield a problem for network cards of a provider whose listed machines have none either."""
    listed = catalog.instance_types.get(provider, {}).values()
    has_cards = any(each.pod_interfaces > 0 for each in listed)
    stated = {
        "interconnectFirstCard": described.interconnect_first_card,
        "podInterfaces": described.pod_interfaces,
        "interfaceAddresses": described.interface_addresses,
    }
    for field, count in stated.items():
        if not has_cards and count > 0:
            what = f"{count}; the platform asks for no network cards on {provider}"
            yield Problem((*path, field), what, "0")
