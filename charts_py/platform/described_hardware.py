"""The hardware that cluster files describe, as the same facts that the tables hold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import DescribedInstanceType, DescribedModel, Hardware
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.unknown_hardware import instance_type_name_problems, unknown_model
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType, Interconnect
from gpus.model import NVIDIA, DriverSupport, GpuModel, KernelModuleKind
from gpus.nearest import nearest
from gpus.platform_names import MAX_LABEL_VALUE
from gpus.provider import Provider

_LEAST_ADDRESSES = 2
"""An interface has one for itself."""
_NAME = rf"[A-Za-z0-9]([A-Za-z0-9.-]{{0,{MAX_LABEL_VALUE - 2}}}[A-Za-z0-9])?"
"""Names that are a label's value in lower case."""


@dataclass(frozen=True, slots=True)
class DescribedCatalog:
    """The tables, with what a cluster file adds to them."""

    catalog: Catalog
    problems: tuple[Problem, ...] = ()
    """What is wrong with the additions; the catalog is without those that it concerns."""


def described_catalog(hardware: Hardware, tables: Catalog) -> DescribedCatalog:
    catalog, problems = tables, list[Problem]()
    for name, described in hardware.models.items():
        found = tuple(_check_model(("hardware", "models", name), name, described, tables))
        problems += found
        if not found:
            catalog = catalog.with_model(_gpu_model(name, described, tables))
    with_models = catalog
    for provider, types in hardware.instance_types.items():
        for name, machine in types.items():
            path = ("hardware", "instanceTypes", provider.value, name)
            wrong = list(_check_instance_type(path, provider, machine, with_models))
            if machine.gpu not in hardware.models and machine.gpu not in with_models.models:
                wrong.append(unknown_model((*path, "gpu"), machine.gpu, with_models))
            problems += wrong
            if not wrong and machine.gpu in with_models.models:
                known = _described_instance_type(name, provider, machine, with_models)
                catalog = catalog.with_instance_type(known)
    return DescribedCatalog(catalog, tuple(problems))


def _described_instance_type(
    name: str, provider: Provider, described: DescribedInstanceType, catalog: Catalog
) -> InstanceType:
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
        accelerator=described.accelerator,
    )


def _check_instance_type(
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
    yield from _check_accelerator(path, provider, described, catalog)
    yield from _check_interconnect(path, described)
    yield from _check_pod_addresses(path, described)
    yield from _check_network_cards(path, provider, described, catalog)


def _check_accelerator(
    path: FieldPath, provider: Provider, described: DescribedInstanceType, catalog: Catalog
) -> Iterator[Problem]:
    """Yield a problem for the name of a GPU that only providers with such names have, and need."""
    names, path = catalog.accelerators(provider), (*path, "accelerator")
    if described.accelerator is None and names and described.gpu not in names:
        what = f"missing; no listed machine of {provider} has {described.gpu}"
        yield Problem(path, what, f"what {provider} calls that GPU, such as nvidia-gb300")
    elif described.accelerator is not None and not names:
        what = f"{provider} calls GPUs by their machine alone; remove this line"
        yield Problem(path, what)


def _check_interconnect(path: FieldPath, described: DescribedInstanceType) -> Iterator[Problem]:
    network, interfaces = described.interconnect, described.interconnect_interfaces
    what = f"{interfaces}; interconnect is {network}"
    if network is not Interconnect.ETHERNET and interfaces == 0:
        yield Problem((*path, "interconnectInterfaces"), what, "at least 1")
    elif network is Interconnect.ETHERNET and interfaces > 0:
        yield Problem((*path, "interconnectInterfaces"), what, "0")
    if network is Interconnect.ETHERNET and described.interconnect_first_card > 0:
        what = f"{described.interconnect_first_card}; interconnect is {network}"
        yield Problem((*path, "interconnectFirstCard"), what, "0")


def _check_pod_addresses(path: FieldPath, described: DescribedInstanceType) -> Iterator[Problem]:
    interfaces, addresses = described.pod_interfaces, described.interface_addresses
    if interfaces > 0 and addresses < _LEAST_ADDRESSES:
        what = f"{addresses}; podInterfaces is {interfaces}"
        yield Problem((*path, "interfaceAddresses"), what, f"at least {_LEAST_ADDRESSES}")
    elif addresses > 0 and interfaces == 0:
        yield Problem(
            (*path, "podInterfaces"), f"0; interfaceAddresses is {addresses}", "at least 1"
        )


def _check_network_cards(
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


def _gpu_model(name: str, described: DescribedModel, tables: Catalog) -> GpuModel:
    return GpuModel(
        name=name,
        family=described.family or name.lower(),
        vendor=described.vendor.value,
        product=described.product,
        memory_mib=bytes_of(described.memory) // 2**20,
        pci_device=described.pci_device,
        nvlink=described.nvlink,
        mps=described.mps and described.vendor == NVIDIA,
        mig=tables.models[described.mig].mig if described.mig else None,
        architecture=described.architecture,
        resource=described.resource,
        host_architecture=described.host_architecture.value,
        driver=_driver(described, tables),
    )


def _driver(described: DescribedModel, tables: Catalog) -> DriverSupport | None:
    alike = [
        model.driver
        for model in tables.models.values()
        if model.architecture == described.architecture and model.driver
    ]
    if described.vendor == NVIDIA and described.architecture in tables.older_drivers:
        return tables.older_drivers[described.architecture]
    if described.vendor != NVIDIA or not alike:
        return None
    return DriverSupport(
        kernel_modules=tuple(
            kind for kind in KernelModuleKind if any(kind in each.kernel_modules for each in alike)
        ),
        first_branch=min(each.first_branch for each in alike),
        last_branch=max((each.last_branch for each in alike if each.last_branch), default=None),
    )


def _check_model(
    path: FieldPath, name: str, described: DescribedModel, tables: Catalog
) -> Iterator[Problem]:
    if name in tables.models:
        yield Problem(path, f"{name} is listed, with all its facts; remove this description")
    elif not re.fullmatch(_NAME, name):
        yield Problem(
            path, f'"{name}" is not a valid name for a GPU model', "one such as RTX-A6000"
        )
    yield from _check_architecture(path, described, tables)
    yield from _check_product(path, described, tables)
    yield from _check_resource(path, described, tables)
    yield from _check_mig(path, described, tables)


def _check_architecture(
    path: FieldPath, described: DescribedModel, tables: Catalog
) -> Iterator[Problem]:
    """Yield a problem for an architecture whose facts, such as drivers that fit, are not known."""
    models = tables.models.values()
    listed = {model.architecture for model in models if model.vendor == described.vendor}
    known = sorted(listed.union(tables.vendors[described.vendor].further_architectures))
    if described.architecture not in known:
        what = f'unknown architecture "{described.architecture}" of {described.vendor}'
        near = nearest(described.architecture, known)
        yield Problem((*path, "architecture"), what, ", ".join(known), near)


def _check_product(
    path: FieldPath, described: DescribedModel, tables: Catalog
) -> Iterator[Problem]:
    """Yield a problem for the product of another model, whose nodes would be taken for its own."""
    for model in tables.models.values():
        if (model.vendor, model.product) == (described.vendor, described.product):
            what = f'"{described.product}" is the product of {model.name}, which is listed'
            remedy = f"another product, or pools that name {model.name} and no description of it"
            yield Problem((*path, "product"), what, remedy)


def _check_resource(
    path: FieldPath, described: DescribedModel, tables: Catalog
) -> Iterator[Problem]:
    """Yield a problem for a resource that the device plugin of the vendor never advertises."""
    vendor, resource = tables.vendors[described.vendor], described.resource
    known = (vendor.resource, *vendor.other_resources)
    if resource is not None and resource not in known:
        what = f'no device plugin of {vendor.name} advertises "{resource}"'
        yield Problem((*path, "resource"), what, ", ".join(known))


def _check_mig(path: FieldPath, described: DescribedModel, tables: Catalog) -> Iterator[Problem]:
    alike = {name for name, model in tables.models.items() if model.mig}
    if described.mig is not None and described.mig not in alike:
        what = f'"{described.mig}" is not a listed model with MIG'
        yield Problem((*path, "mig"), what, ", ".join(sorted(alike)), nearest(described.mig, alike))
    elif described.mig is not None and described.vendor != NVIDIA:
        what = f"GPUs of {described.vendor} have no MIG"
        yield Problem((*path, "mig"), what, f'only with vendor "{NVIDIA}"')
