"""GPU models that a cluster file describes."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import DescribedModel
from charts_py.cluster_file.quantity import bytes_of
from gpus.catalog import Catalog
from gpus.label_value import MAX_LABEL_VALUE
from gpus.mig import MigGeometry
from gpus.model import DriverSupport, GpuModel, KernelModuleKind
from gpus.nearest import nearest
from gpus.vendor import NVIDIA

_NAME = rf"[A-Za-z0-9]([A-Za-z0-9.-]{{0,{MAX_LABEL_VALUE - 2}}}[A-Za-z0-9])?"
"""Names that are a label's value in lower case."""


def gpu_model(name: str, described: DescribedModel, tables: Catalog) -> GpuModel:
    """Return the facts of a model that has no problems."""
    return GpuModel(
        name=name,
        family=described.family or name.lower(),
        vendor=described.vendor.value,
        product=described.product,
        memory_mib=bytes_of(described.memory) // 2**20,
        pci_device=described.pci_device,
        nvlink=described.nvlink,
        mps=described.mps and described.vendor == NVIDIA,
        mig=_geometry(described, tables),
        architecture=described.architecture,
        resource=described.resource,
        host_architecture=described.host_architecture.value,
        driver=_driver(described, tables),
    )


def _driver(described: DescribedModel, tables: Catalog) -> DriverSupport | None:
    """Return what drivers support some listed GPU of the architecture; None for other vendors."""
    alike = [
        model.driver
        for model in tables.models.values()
        if model.architecture == described.architecture and model.driver
    ]
    if described.vendor != NVIDIA or not alike:
        return None
    return DriverSupport(
        kernel_modules=tuple(
            kind for kind in KernelModuleKind if any(kind in each.kernel_modules for each in alike)
        ),
        first_branch=min(each.first_branch for each in alike),
        last_branch=max((each.last_branch for each in alike if each.last_branch), default=None),
    )


def _geometry(described: DescribedModel, tables: Catalog) -> MigGeometry | None:
    return tables.models[described.mig].mig if described.mig else None


def model_problems(
    path: FieldPath, name: str, described: DescribedModel, tables: Catalog
) -> Iterator[Problem]:
    """Yield what is wrong with a described model."""
    if name in tables.models:
        yield Problem(path, f"{name} is listed, with all its facts; remove this description")
    elif not re.fullmatch(_NAME, name):
        yield Problem(path, f'"{name}" is not a valid name for a GPU model', f"^{_NAME}$")
    yield from _architecture(path, described, tables)
    yield from _product(path, described, tables)
    yield from _resource(path, described, tables)
    yield from _mig(path, described, tables)


def _architecture(path: FieldPath, described: DescribedModel, tables: Catalog) -> Iterator[Problem]:
    """Yield a problem for an architecture whose facts, such as drivers that fit, are not known."""
    models = tables.models.values()
    known = sorted({model.architecture for model in models if model.vendor == described.vendor})
    if described.architecture not in known:
        what = f'unknown architecture "{described.architecture}" of {described.vendor}'
        near = nearest(described.architecture, known)
        yield Problem((*path, "architecture"), what, ", ".join(known), near)


def _product(path: FieldPath, described: DescribedModel, tables: Catalog) -> Iterator[Problem]:
    """Yield a problem for the product of another model, whose nodes would be taken for its own."""
    for model in tables.models.values():
        if (model.vendor, model.product) == (described.vendor, described.product):
            what = f'"{described.product}" is the product of {model.name}, which is listed'
            remedy = f"another product, or pools that name {model.name} and no description of it"
            yield Problem((*path, "product"), what, remedy)


def _resource(path: FieldPath, described: DescribedModel, tables: Catalog) -> Iterator[Problem]:
    """Yield a problem for a resource that the device plugin of the vendor never advertises."""
    vendor, resource = tables.vendors[described.vendor], described.resource
    known = (vendor.resource, *vendor.other_resources)
    if resource is not None and resource not in known:
        what = f'no device plugin of {vendor.name} advertises "{resource}"'
        yield Problem((*path, "resource"), what, ", ".join(known))


def _mig(path: FieldPath, described: DescribedModel, tables: Catalog) -> Iterator[Problem]:
    alike = {name for name, model in tables.models.items() if model.mig}
    if described.mig is not None and described.mig not in alike:
        what = f'"{described.mig}" is not a listed model with MIG'
        yield Problem((*path, "mig"), what, ", ".join(sorted(alike)), nearest(described.mig, alike))
    elif described.mig is not None and described.vendor != NVIDIA:
        what = f"GPUs of {described.vendor} have no MIG"
        yield Problem((*path, "mig"), what, f'only with vendor "{NVIDIA}"')
