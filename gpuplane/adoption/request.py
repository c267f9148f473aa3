"""Adopting one cluster, from where it is read to what is written."""

import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.load import load_platform
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.adoption_error import AdoptionError
from gpuplane.adoption.checked_file import CheckedFile, check_file
from gpuplane.adoption.export_files import read_exports
from gpuplane.adoption.first_sync import FirstSync, first_sync
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.kubectl import Kubectl
from gpuplane.versions.rendering import render_platform


@dataclass(frozen=True)
class AdoptionRequest:
    """Which cluster to adopt, and where it is read.

    Reading it raises AdoptionError, ClusterReadError, FileNotFoundError or SpecError.
    """

    clusters: Path
    """Folder of the cluster files."""
    name: str
    source: Kubectl | tuple[Path, ...]
    """The cluster itself, or what was exported of it."""

    def __post_init__(self) -> None:
        """Raise AdoptionError for a name that would be a path."""
        if Path(self.name).name != self.name:
            raise AdoptionError(f'"{self.name}" is a path; allowed: the name of a cluster alone')

    @property
    def file(self) -> Path:
        """The cluster file."""
        return self.clusters / f"{self.name}.yaml"

    @cached_property
    def inventory(self) -> Inventory:
        """What was read, once."""
        return self.source.read() if isinstance(self.source, Kubectl) else read_exports(self.source)

    @cached_property
    def proposed(self) -> CheckedFile:
        """The cluster file that comes nearest."""
        return check_file(cluster_file(self.inventory), self.name, self._fleet)

    def first_sync(self, platform: Platform) -> FirstSync:
        """Compare what a cluster file renders with what was read; raise RenderError."""
        rendered = render_platform(platform, str(self.file)).files
        documents = [one for path in rendered for one in from_yaml(rendered[path].decode())]
        named: tuple[FoundObject, ...] = ()
        if isinstance(self.source, Kubectl):
            named = self.source.read_named(documents)
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
        """Write the proposed file, whole or not at all."""
        self.clusters.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(prefix=f".{self.name}-", dir=self.clusters)
        with os.fdopen(number, "w", encoding="utf-8") as staging:
            staging.write(self.proposed.text)
        Path(name).chmod(0o644)
        Path(name).replace(self.file)

    @property
    def _fleet(self) -> Path | None:
        fleet = self.clusters / FLEET_FILE
        return fleet if fleet.is_file() else None
