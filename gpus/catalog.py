"""The tables of vendors, GPU models and instance types, read once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeVar

from gpus.instance_type import Accelerator, InstanceType, Offer, family_of, read_offer
from gpus.mig import MigGeometry, MigProfile
from gpus.model import DriverSupport, GpuModel, KernelModuleKind, Vendor
from gpus.nearest import nearest, nearest_hint
from gpus.provider import Provider
from gpus.table import Table, has_table, read_table

Name = TypeVar("Name", bound=str)
Entry = TypeVar("Entry")
_DRIVER_FIELDS = ("first_driver", "first_driver_version", "kernel_modules")


@dataclass(eq=False)
class UnknownHardware(LookupError):  # noqa: N818 - it names what is unknown, as KeyError does not
    """A name that no table holds."""

    kind: str
    name: str
    nearest: tuple[str, ...]
    allowed: tuple[str, ...]

    def __str__(self) -> str:
        hint = nearest_hint(self.nearest)
        return f"unknown {self.kind} {self.name}; allowed: {', '.join(self.allowed)}{hint}"


@dataclass(frozen=True, slots=True)
class Catalog:
    vendors: Mapping[str, Vendor]
    models: Mapping[str, GpuModel]
    instance_types: Mapping[Provider, Mapping[str, InstanceType]]
    """Instance types by provider, then by name; on-premises machines have none."""
    older_drivers: Mapping[str, DriverSupport] = field(default_factory=dict)
    """The drivers of architectures of which no model is listed."""
    offers: Mapping[Provider, Offer] = field(default_factory=dict)
    """The tables of instance types, with names of accelerators and families."""

    @property
    def names(self) -> frozenset[str]:
        types = self.instance_types.values()
        return frozenset(self.models).union(*types)

    def model(self, name: str) -> GpuModel:
        """Return the GPU model of that name; raise UnknownHardware when there is none."""
        return _entry("GPU model", name, self.models)

    def instance_type(self, provider: Provider, name: str) -> InstanceType:
        """Return a provider's instance type; raise UnknownHardware when there is none."""
        offered = _entry("provider of instance types", provider, self.instance_types)
        return _entry(f"instance type of {provider}", name, offered)

    def accelerators(self, provider: Provider) -> Mapping[str, Accelerator]:
        offer = self.offers.get(provider)
        return offer.accelerators if offer else {}

    def topology_levels(self, provider: Provider, instance_type: str) -> int:
        offer = self.offers.get(provider)
        return offer.family_topology_levels.get(family_of(instance_type), 0) if offer else 0

    def with_model(self, model: GpuModel) -> "Catalog":
        return replace(self, models={**self.models, model.name: model})

    def with_instance_type(self, instance_type: InstanceType) -> "Catalog":
        provider = instance_type.provider
        offered = {**self.instance_types[provider], instance_type.name: instance_type}
        return replace(self, instance_types={**self.instance_types, provider: offered})

    def vendor_of(self, model: GpuModel) -> Vendor:
        return _entry("GPU vendor", model.vendor, self.vendors)

    @property
    def resources(self) -> frozenset[str]:
        """The extended resources that stand for whole GPUs, of vendors and of their models."""
        models = {model.resource for model in self.models.values() if model.resource}
        return frozenset(models.union(each.resource for each in self.vendors.values()))

    def resource_of(self, model: GpuModel) -> str:
        return model.resource or self.vendor_of(model).resource


def _entry(kind: str, name: Name, entries: Mapping[Name, Entry]) -> Entry:
    try:
        return entries[name]
    except KeyError:
        allowed = tuple(entries)
        raise UnknownHardware(kind, name, nearest(name, allowed), allowed) from None


@cache
def load_vendors() -> Mapping[str, Vendor]:
    """Read the table of makers alone, which the policies need whenever they are imported."""
    return {name: _vendor(name, row) for name, row in read_table("vendors").items()}


@cache
def load_catalog() -> Catalog:
    models = read_table("models")
    offers = {
        provider: read_offer(provider)
        for provider in Provider
        if has_table(f"instance_types_{provider.value}")
    }
    geometries = {
        name: _geometry(geometry, models["shape"]) for name, geometry in models["geometry"].items()
    }
    return Catalog(
        vendors=load_vendors(),
        models={
            name: _model(name, row, geometries, models["driver"])
            for name, row in models["model"].items()
        },
        instance_types={provider: offer.instance_types for provider, offer in offers.items()},
        older_drivers={
            name: _support(row, row)
            for name, row in models["driver"].items()
            if "first_driver" in row
        },
        offers=offers,
    )


def _geometry(geometry: Table, shapes: Table) -> MigGeometry:
    shape = shapes[geometry["shape"]]
    return MigGeometry(
        compute_slices=shape["compute_slices"],
        memory_slices=shape["memory_slices"],
        media_engines=shape["media_engines"],
        profiles=tuple(
            MigProfile(**cut | {"name": name, "starts": tuple(cut["starts"])})
            for name, shaped in geometry["profiles"].items()
            for cut in (shape["cut"][shaped],)
        ),
    )


def _vendor(name: str, row: Table) -> Vendor:
    fields: Table = {
        field: tuple(value) if isinstance(value, list) else value for field, value in row.items()
    }
    return Vendor(name=name, **fields)


def _model(
    name: str, row: Table, geometries: Mapping[str, MigGeometry], drivers: Table
) -> GpuModel:
    mig = row.get("mig")
    fields = {field: value for field, value in row.items() if field not in _DRIVER_FIELDS}
    fields |= {"name": name, "mig": geometries[mig] if mig else None}
    return GpuModel(**fields, driver=_driver(row, drivers.get(row["architecture"])))


def _driver(row: Table, of_architecture: Table | None) -> DriverSupport | None:
    """Return what the architecture says of drivers, but for what the model has of its own."""
    return None if of_architecture is None else _support(row, of_architecture)


def _support(row: Table, of_architecture: Table) -> DriverSupport:
    kinds = row.get("kernel_modules") or of_architecture["kernel_modules"]
    return DriverSupport(
        kernel_modules=tuple(KernelModuleKind(kind) for kind in kinds),
        first_branch=row["first_driver"],
        last_branch=of_architecture.get("last_branch"),
        first_version=row.get("first_driver_version"),
    )


def unsupported_instance_type(name: str) -> str | None:
    """Return what an instance type has instead of a GPU that is supported; None if unknown."""
    return _unsupported(name, "instance_types")


def unsupported_model(name: str) -> str | None:
    """Return what a model is instead of a GPU that is supported; None if unknown."""
    return _unsupported(name, "models")


def _unsupported(name: str, column: str) -> str | None:
    """Return what the row has whose pattern in a column matches a whole name, case aside."""
    for row in _unsupported_rows():
        if column in row and re.fullmatch(row[column], name, re.IGNORECASE):
            return row["has"]
    return None


@cache
def _unsupported_rows() -> tuple[Mapping[str, str], ...]:
    return tuple(read_table("unsupported")["accelerator"])
