"""Adopting one cluster, from where it is read to what is written."""

import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import Fault, SpecError
from charts_py.load import load_platform
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.commented import one_line
from gpuplane.adoption.export_files import read_exports
from gpuplane.adoption.first_sync import FirstSync, first_sync
from gpuplane.adoption.found_object import AdoptionError, Inventory
from gpuplane.versions.rendering import render_platform
from gpuplane.written_files import write_files

if TYPE_CHECKING:
    # It imports a package that reading exports does not need.
    from gpuplane.adoption.live_cluster import LiveCluster


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The text of a cluster file, and what the parser says of it."""

    text: str
    """With each fault as a comment above its line."""
    platform: Platform | None
    """None where there are faults."""
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class AdoptionRequest:
    """Which cluster to adopt, and where it is read.

    Reading it raises AdoptionError, ClusterReadError, FileNotFoundError or SpecError.
    """

    clusters: Path
    """Folder of the cluster files."""
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
        return check_file(cluster_file(self.inventory), self.name, self._fleet)

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
            allowed = "--force replaces it, --diff compares what it renders"
            raise FileExistsError(f"{self.file}: is there already; {allowed}")

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
