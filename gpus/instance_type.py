"""Instance types of the clouds, and the tables that list them."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from gpus.nearest import nearest, nearest_hint
from gpus.provider import Provider
from gpus.purchase import Purchase
from gpus.table import read_table


class Interconnect(StrEnum):
    """The network between the nodes of a pool that GPUs talk over."""

    ETHERNET = "ethernet"
    EFA = "efa"
    GPUDIRECT_TCPX = "gpudirect-tcpx"
    GPUDIRECT_TCPXO = "gpudirect-tcpxo"
    ROCE = "roce"
    INFINIBAND = "infiniband"


@dataclass(frozen=True, slots=True)
class InstanceType:
    """A cloud's machine with GPUs, as the cloud names and sizes it."""

    name: str
    provider: Provider
    """The managed Kubernetes that offers it."""
    gpu: str
    gpus: int
    cpu: int
    memory_gib: float
    network_gbps: float = 0
    """The bandwidth that one machine can rely on, all interfaces together with those for RDMA, in
    Gbit/s; 0 where it is not known."""
    rdma: Interconnect | None = None
    rdma_interfaces: int = 0
    rdma_first_card: int = 0
    """The first network card that takes an RDMA interface; each of those after it takes one."""
    local_nvme_gib: int = 0
    """Local NVMe disks together, in whole GiB, rounded down."""
    pod_interfaces: int = 0
    """Network interfaces of the first network card, on which pods get their addresses; 0 where
    pods are addressed in another way, or the number is not known."""
    interface_addresses: int = 0
    """IPv4 addresses of each of them, its own included."""
    topology_levels: int = 0
    """How many of the provider's topology labels its nodes carry, counted from the outermost."""
    purchases: tuple[Purchase, ...] = ()
    """The ways in which it is sold; empty where it is sold in all ways of its provider."""
    accelerator: str | None = None
    """The provider's name of its GPU; None where that follows from the model alone."""
    local_disk_gib: int = 0
    """The size of one local disk; 0 where it has none, or no table says it."""


@dataclass(frozen=True, slots=True)
class Accelerator:
    """A GPU model as a provider offers it apart from the machine."""

    type: str
    mig_profiles: Mapping[str, int]
    """The profiles that the provider partitions it into, and how many instances each makes."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The hardware that a provider offers, as its table lists it."""

    instance_types: Mapping[str, InstanceType]
    name_pattern: str
    """The names that an instance type can have, listed or not."""
    accelerators: Mapping[str, Accelerator] = field(default_factory=dict)
    """Accelerators by GPU model; empty where the provider calls GPUs by their machine alone."""
    family_topology_levels: Mapping[str, int] = field(default_factory=dict)
    """`InstanceType.topology_levels` by family, such as `p5`, for machines not listed as well."""


_REQUIRED = (
    *("gpu", "gpus", "cpu", "memory_gib", "network_gbps", "rdma_interfaces"),
    *("local_nvme_gib", "topology_levels"),
)
"""Columns that every row has; a table lists those that its provider needs besides as `required`."""

_COLUMNS = frozenset(each.name for each in fields(InstanceType)) - {"name", "provider"}


def family_of(instance_type: str) -> str:
    """Return the family of an instance type of AWS, such as `p5` of `p5.48xlarge`."""
    return instance_type.partition(".")[0]


def read_offer(provider: Provider) -> Offer:
    """Read the table of a provider; raise ValueError where a row of it is wrong."""
    file = f"instance_types_{provider.value}"
    table = read_table(file)
    levels = table.get("family_topology_levels", {})
    required = {*_REQUIRED, *table.get("required", ())}
    accelerators = {
        model: Accelerator(row["type"], row["mig_profiles"])
        for model, row in table.get("accelerator", {}).items()
    }
    found = {}
    for name, row in table["instance_type"].items():
        family = family_of(name)
        columns = {"topology_levels": levels[family]} | row if family in levels else row
        if fault := _fault(columns, required, accelerators):
            raise ValueError(f"{file}.toml: {name}{fault}")
        rdma = Interconnect(columns["rdma"]) if "rdma" in columns else None
        purchases = tuple(Purchase(each) for each in columns.get("purchases", ()))
        own = {"name": name, "provider": provider, "rdma": rdma, "purchases": purchases}
        found[name] = InstanceType(**columns | own)
    return Offer(found, table["name_pattern"], accelerators, levels)


def _fault(
    columns: Mapping[str, Any], required: Set[str], accelerators: Mapping[str, Accelerator]
) -> str | None:
    if missing := sorted(required - set(columns)):
        return f" has no {', '.join(missing)}"
    if unknown := sorted(set(columns) - _COLUMNS):
        return f": unknown column {unknown[0]}{nearest_hint(nearest(unknown[0], _COLUMNS))}"
    if accelerators and columns["gpu"] not in accelerators:
        return f": gpu: {columns['gpu']} has no line under [accelerator]"
    stated = {"rdma": [columns["rdma"]] if "rdma" in columns else []}
    stated["purchases"] = columns.get("purchases", [])
    for column, known in (("rdma", Interconnect), ("purchases", Purchase)):
        if wrong := [each for each in stated[column] if each not in list(known)]:
            return f': {column}: unknown "{wrong[0]}"; allowed: {", ".join(known)}'
    return None
