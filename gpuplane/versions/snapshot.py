"""A platform repository as the disk or a commit holds it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from charts_py.argocd.application import LIVE_APPLICATION, PROJECT
from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.cluster_file.source import source_of
from gpuplane.versions.main_branch import declared_version
from gpuplane.versions.record import (
    BESIDE,
    RECORD_FILE,
    ReleaseRecord,
    check_whole,
    readable_record,
)
from gpuplane.versions.tree import DistError, Tree, not_rendered, read_tree, unknown

_ANY_FOLDER = b"dist/CLUSTER/VERSION/"
"""Stands for the folder that a version's own Applications point to, which always differs."""
_ROOT = "root"
"""Stands for the component that an object of the root Application belongs to."""


@dataclass(frozen=True, slots=True)
class DeclaredVersions:
    """The versions that a cluster file names; without one, that which `dist/` has Argo CD sync.

    `live` is None where none is.
    """

    version: str | None
    live: str | None


class Snapshot(Protocol):
    """One state of the files of a platform repository."""

    def name(self, file: Path) -> str:
        """Return what a file is called in messages."""

    def read(self, file: Path) -> bytes | None:
        """Return the content of a file; None where there is none."""

    def tree(self, folder: Path) -> Tree:
        """Return every file below a folder; empty where there is none."""

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders in a folder, sorted."""


@dataclass(frozen=True)
class ClusterSnapshot:
    """A cluster in one state of its repository, whose file and folders are read once."""

    snapshot: Snapshot
    clusters: Path
    dist: Path
    name: str
    must_be_whole: bool = True
    """Whether versions must be as they were rendered; a commit's need not, which a change mends."""

    @property
    def declared(self) -> DeclaredVersions:
        fields = self._fields
        if not fields:
            # Argo CD goes on with what stands there, until that is removed as well.
            return DeclaredVersions(self.synced_version, self.synced_version)
        version = fields.get("version")
        live = fields.get("live") or version
        return DeclaredVersions(version, None if live == NOT_LIVE else live)

    @property
    def states_live(self) -> bool:
        """Whether a file says what is live, which is what is rendered otherwise."""
        return self._fields.get("live") is not None

    @property
    def rendered(self) -> DeclaredVersions:
        declared, versions = self.declared, self.versions
        return DeclaredVersions(
            version=declared.version if declared.version in versions else None,
            live=declared.live if declared.live in versions else None,
        )

    @property
    def synced_version(self) -> str | None:
        """The version that `dist/` has Argo CD sync, whatever the cluster file says."""
        return declared_version(self.snapshot.read(self._folder / LIVE_APPLICATION))

    @cached_property
    def versions(self) -> tuple[str, ...]:
        return self.snapshot.folders(self._folder)

    @property
    def rendered_clusters(self) -> tuple[str, ...]:
        names = self.snapshot.folders(self.dist)
        return tuple(name for name in names if self.snapshot.folders(self.dist / name))

    def tree(self, version: str | None) -> Tree:
        """Return the files of a version, none of None; raise DistError where any is wrong."""
        if version is None:
            return {}
        if version not in self.versions:
            if isinstance(self.snapshot, WorkTree) and version == self.declared.version:
                raise not_rendered(self.clusters / f"{self.name}.yaml", version, self._folder)
            raise unknown("version", version, self.versions, self._folder)
        tree = self.snapshot.tree(self._folder / version)
        if self.must_be_whole:
            check_whole(self._folder / version, tree)
        return comparable(tree, self.name, version)

    def synced(self, version: str | None) -> Tree:
        """Return the files of a version, and what Argo CD syncs whichever is live."""
        project = self.snapshot.read(self._folder / PROJECT)
        beside = {} if project is None else {f"{_ROOT}/{PROJECT}": project}
        return {**self.tree(version), **beside}

    def record(self, version: str | None) -> ReleaseRecord | None:
        """Return the record of a version; None without one, and where it cannot be read."""
        file = self._folder / (version or "") / RECORD_FILE
        return readable_record(self.snapshot.read(file)) if version else None

    def file_name(self, version: str | None, path: str) -> str:
        component, _, name = path.partition("/")
        place = name if component == _ROOT else f"{version}/{path}"
        return self.snapshot.name(self._folder / place)

    @cached_property
    def _fields(self) -> Mapping[str, Any]:
        """The cluster file over what the fleet shares; empty where there is no file."""
        own = self._yaml(self.clusters / f"{self.name}.yaml")
        return {} if own is None else {**(self._yaml(self.clusters / FLEET_FILE) or {}), **own}

    @property
    def _folder(self) -> Path:
        return self.dist / self.name

    def _yaml(self, file: Path) -> Mapping[str, Any] | None:
        content = self.snapshot.read(file)
        if content is None:
            return None
        source = source_of(content, self.snapshot.name(file))
        # What is wrong at a commit is mended by the change that is compared with it.
        is_refused = isinstance(self.snapshot, WorkTree) and source.faults
        if source.content is None or is_refused:
            raise DistError("\n".join(map(str, source.faults)))
        return source.content


class WorkTree:
    """What is on disk."""

    @property
    def edited(self) -> tuple[str, ...]:
        """Clusters of which it holds what their file renders, though nobody has written it."""
        return ()

    @property
    def cut(self) -> tuple[str, ...]:
        """Those of them of which it holds the next version, since the last one is released."""
        return ()

    @property
    def rendered_here(self) -> tuple[str, ...]:
        """Those of them of which `dist/` lacks objects; a version may have them all."""
        return ()

    def name(self, file: Path) -> str:
        return str(file)

    def read(self, file: Path) -> bytes | None:
        return file.read_bytes() if file.is_file() else None

    def tree(self, folder: Path) -> Tree:
        return read_tree(folder)

    def folders(self, folder: Path) -> tuple[str, ...]:
        return tuple(sorted(path.name for path in folder.glob("*/") if path.is_dir()))


def comparable(tree: Tree, cluster: str, version: str) -> Tree:
    """Return the manifests of a version without what differs between any two versions."""
    own_folder = f"dist/{cluster}/{version}/".encode()
    return {
        path: content.replace(own_folder, _ANY_FOLDER)
        for path, content in tree.items()
        if path not in BESIDE
    }
