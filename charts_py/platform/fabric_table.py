"""The table of networks between nodes, `fabrics.yaml`, read once."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import yaml
from msgspec import Struct, convert, field

from gpus.instance_type import Interconnect
from gpus.provider import Provider
from policies.settings import PodSecurity

Fields: TypeAlias = Mapping[str, Any]
"""A part of a pod, as the API server takes it."""


class NcclTests(Struct, frozen=True, forbid_unknown_fields=True):
    image: str
    program: str
    """The path of `all_reduce_perf`."""


class NetworkRow(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What every pod needs on a network of a provider."""

    environment: Mapping[str, str] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    volumes: tuple[Fields, ...] = ()
    mounts: tuple[Fields, ...] = ()
    beside: tuple[Fields, ...] = ()
    pod_security: PodSecurity = PodSecurity.RESTRICTED
    nccl_tests: NcclTests | None = None
    """The image for this network; None where that for any does."""


class AllReduce(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What somebody has measured by `all_reduce_perf`."""

    bus_bandwidth: float
    """GB/s."""
    nodes: int
    message: str
    """Its size, as nccl-tests take it, such as `16G`."""


class MachineRow(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """How an instance type differs from others on the same network."""

    environment: Mapping[str, str] = field(default_factory=dict)
    missing: str | None = None
    """Why its pods cannot use the network."""
    all_reduce: AllReduce | None = None
    """None where nobody says."""


class _Table(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    nccl_tests: NcclTests
    """For any network."""
    networks: Mapping[Provider, Mapping[Interconnect, NetworkRow]]
    machines: Mapping[str, MachineRow]


@cache
def fabric_table() -> _Table:
    text = (files(__package__) / "fabrics.yaml").read_text(encoding="utf-8")
    table = yaml.load(text, Loader=yaml.CSafeLoader)
    return convert(table, _Table)


def network_row(provider: Provider, interconnect: Interconnect) -> NetworkRow | None:
    """Return the row of a network; None for Ethernet, which needs nothing."""
    return fabric_table().networks[provider].get(interconnect)


def network_images(provider: Provider) -> tuple[str, ...]:
    rows = fabric_table().networks[provider].values()
    return tuple(each["image"] for row in rows for each in row.beside)


def machine_row(name: str | None) -> MachineRow:
    """Return the row of an instance type; an empty one where it is not listed, or there is none."""
    return fabric_table().machines.get(name or "", MachineRow())
