"""The cluster file that comes nearest to what a cluster holds, from its reading to its writing."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import Fault, SpecError
from charts_py.cluster_file.parse import parse
from charts_py.cluster_file.queues import PLATFORM_PRIORITY, default_ladder
from charts_py.load import load_platform, read_fleet
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.described_hardware import described_catalog
from charts_py.platform.platform import Platform
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented, one_line, written
from gpuplane.adoption.export_files import read_exports
from gpuplane.adoption.first_sync import FirstSync, first_sync
from gpuplane.adoption.found_object import AdoptionError, Inventory
from gpuplane.adoption.nodes import FoundNode, found_nodes
from gpuplane.adoption.platform_fields import (
    addon_fields,
    driver_fields,
    lost_settings,
    network_fields,
    operator_settings,
    priority_fields,
)
from gpuplane.adoption.pools import found_pools, pools_fields
from gpuplane.adoption.provider_fields import kubernetes_of, provider_fields, provider_of, region_of
from gpuplane.adoption.quotas import pool_offer
from gpuplane.adoption.sharing import sharing_config
from gpuplane.adoption.teams import found_teams, teams_fields
from gpuplane.versions.rendering import render_platform
from gpuplane.written_files import write_files
from gpus.catalog import Catalog, load_catalog

if TYPE_CHECKING:
    # It imports a package that reading exports does not need.
    from gpuplane.adoption.live_cluster import LiveCluster

FIRST_VERSION = "0.1.0-rc.1"
"""The version of a cluster that never had one; with a suffix it may still change."""
_SCHEMA = "# yaml-language-server: $schema=../schemas/cluster.schema.json"


def cluster_file(inventory: Inventory, catalog: Catalog | None = None) -> str:
    """Return the text of the cluster file, each value with the object that states it.

    `catalog` has what the fleet describes, too; without it, what the tables list.

    What nothing states is left out, with a comment, for the parser to ask for. Raises AdoptionError
    where there are no GPUs, or objects of two clusters.
    """
    catalog, nodes = catalog or load_catalog(), found_nodes(inventory)
    name, settings = provider_of(inventory, nodes), operator_settings(inventory)
    provider, sharing = PROVIDERS[name], sharing_config(inventory, settings)
    pools, without_gpus = found_pools(inventory, nodes, name, catalog, sharing)
    if not pools:
        raise AdoptionError(_without_gpus(inventory, nodes))
    offers = [pool_offer(pool, name) for pool in pools]
    teams = found_teams(inventory, {name for offer in offers for name in offer.resources})
    ladder = priority_fields(inventory)
    for_teams = [one for one in ladder.value or default_ladder() if one != PLATFORM_PRIORITY]
    fields = {
        "provider": Commented(name.value),
        "region": region_of(nodes),
        "kubernetes": kubernetes_of(nodes),
        "version": Commented(FIRST_VERSION, "what a first synth renders"),
        **provider_fields(name, inventory, nodes),
        **network_fields(inventory, provider),
        **driver_fields(settings, provider),
        **lost_settings(inventory, settings),
        "pools": Commented(pools_fields(pools, name)),
        **({"priorities": ladder} if ladder.value or ladder.notes else {}),
        "teams": Commented(teams_fields(teams, offers, for_teams) or None),
        **addon_fields(inventory, settings),
    }
    left = {"node pools without GPUs": without_gpus, "namespaces": teams.without_team}
    return "\n".join([*_head(inventory, left), *_spaced(fields), ""])


def fleet_catalog(fleet: Path | None) -> Catalog:
    """Return the tables with the hardware that the fleet's file describes rightly."""
    content = read_fleet(fleet).content or {}
    described = parse({"hardware": content.get("hardware", {})}).cluster.hardware
    return described_catalog(described, load_catalog()).catalog


def _spaced(fields: dict[str, Commented]) -> Iterator[str]:
    for name, field in fields.items():
        lines = list(written({name: field}))
        yield from ([""] if len(lines) > 1 or field.notes else [])
        yield from lines


def _head(inventory: Inventory, left: Mapping[str, Iterable[str]]) -> Iterator[str]:
    yield _SCHEMA
    yield f"# Imported from {one_line(inventory.source)}."
    yield "# What states a value stands behind it, or behind what holds it."
    for what, names in left.items():
        if names:
            yield f"# Left as they are: {what} {one_line(', '.join(names))}."


def _without_gpus(inventory: Inventory, nodes: tuple[FoundNode, ...]) -> str:
    kinds = Counter(found.kind for found in inventory.objects)
    read = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    remedy = (
        "kubectl get nodes -o yaml shows labels and capacity of nodes with GPUs"
        if not nodes
        else "GPUs show by a resource such as nvidia.com/gpu or a label such as "
        "nvidia.com/gpu.product"
    )
    return f"{inventory.source}: no node and no node pool with GPUs among {read}; {remedy}"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The text of a cluster file, and what the parser says of it."""

    text: str
    """The cluster file, with each fault as a comment above its line."""
    platform: Platform | None
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class AdoptionRequest:
    """Which cluster to adopt, and where it is read.

    Reading it raises AdoptionError, ClusterReadError, FileNotFoundError or SpecError.
    """

    clusters: Path
    name: str
    source: "LiveCluster | tuple[Path, ...]"
    """The cluster itself, or what was exported of it."""

    def __post_init__(self) -> None:
        """Raise AdoptionError for a name that would be a path."""
        if Path(self.name).name != self.name:
            raise AdoptionError(f'"{self.name}" is a path; allowed: the name of a cluster alone')

    @property
    def file(self) -> Path:
        return self.clusters / f"{self.name}.yaml"

    @cached_property
    def inventory(self) -> Inventory:
        return read_exports(self.source) if isinstance(self.source, tuple) else self.source.read()

    @cached_property
    def proposed(self) -> CheckedFile:
        return check_file(
            cluster_file(self.inventory, fleet_catalog(self._fleet)), self.name, self._fleet
        )

    def first_sync(self, platform: Platform) -> FirstSync:
        """Compare what a cluster file renders with what was read; raise RenderError."""
        rendered = render_platform(platform, str(self.file)).files
        documents = [one for path in rendered for one in from_yaml(rendered[path].decode())]
        source = self.source
        named = () if isinstance(source, tuple) else source.read_named(documents)
        return first_sync(rendered, (*self.inventory.objects, *named))

    def existing(self) -> Platform | None:
        """Return what the cluster file says that is there; None without one."""
        return load_platform(self.file, self._fleet) if self.file.exists() else None

    def check_free(self) -> None:
        """Raise FileExistsError where there is a cluster file."""
        if self.file.exists():
            allowed = "--overwrite replaces it, --diff compares what it renders"
            raise FileExistsError(f"{self.file}: already exists; {allowed}")

    def write(self) -> None:
        write_files(self.clusters, {self.file: self.proposed.text.encode()})

    @property
    def _fleet(self) -> Path | None:
        fleet = self.clusters / FLEET_FILE
        return fleet if fleet.is_file() else None


def check_file(text: str, name: str, fleet: Path | None) -> CheckedFile:
    """Read a text as the file of a cluster of this name, over what the fleet shares.

    Raises SpecError with the faults of the fleet's own file.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.yaml"
        _copy_others(fleet, file.parent)
        file.write_text(text, encoding="utf-8")
        try:
            return CheckedFile(text, load_platform(file, fleet))
        except SpecError as error:
            others = [fault for fault in error.faults if fault.mark.file != str(file)]
            if others:
                raise SpecError(others) from error
            return CheckedFile(_with_comments(text, error.faults), None, error.faults)


def _copy_others(fleet: Path | None, folder: Path) -> None:
    for other in fleet.parent.glob("*.yaml") if fleet else ():
        if other.is_file():
            shutil.copyfile(other, folder / other.name)


def _with_comments(text: str, faults: tuple[Fault, ...]) -> str:
    lines = text.splitlines()
    for fault in sorted(faults, key=lambda fault: fault.mark.line, reverse=True):
        at = min(fault.mark.line, len(lines)) - 1
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        said = str(fault).removeprefix(f"{fault.mark}: ")
        lines.insert(at, f"{indent}# FAULT {one_line(said)}")
    return "\n".join([*lines, ""])
