"""What differs between two rendered versions of a cluster."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import yaml

from charts_py.argocd.pinned_files import PROJECT
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.release.commit import named_commit
from charts_py.release.diff.objects import ObjectDifference, diff_objects
from charts_py.release.diff.snapshot import Snapshot, WorkTree
from charts_py.release.dist import Tree
from charts_py.release.dist_error import DistError, unknown
from charts_py.release.release_record import RECORD_FILE
from charts_py.spec.cluster_files import FLEET_FILE


class Subject(StrEnum):
    """What a comparison is about."""

    LIVE = "live"
    """What Argo CD syncs; so what a merge changes on the cluster."""
    RENDERED = "rendered"
    """What the sources render; so what promoting it would change."""
    NAMED = "named"
    """Two versions that somebody named."""


@dataclass(frozen=True, slots=True)
class DiffRequest:
    """What to compare."""

    clusters: Path
    """Folder of the cluster files."""
    dist: Path
    cluster: str
    old: str | None = None
    """Version; by default the live one."""
    new: str | None = None
    """Version; by default the one that the cluster file renders."""
    base: str | None = None
    """Git reference to take the old side from; absent, the disk."""


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """What differs between two versions; one is None where the cluster is new, or gone."""

    cluster: str
    subject: Subject
    old: str | None
    new: str | None
    objects: ObjectDifference


_ANY_FOLDER = b"dist/CLUSTER/VERSION/"
"""Stands for the folder that a version's own Applications point to, which always differs."""


_ROOT = "root"
"""Stands for the component that an object of the root Application belongs to."""


@dataclass(frozen=True, slots=True)
class _Declared:
    """The versions that a cluster file names; both None where there is no file."""

    version: str | None
    live: str | None


@dataclass(frozen=True, slots=True)
class _Side:
    """One state of a repository."""

    snapshot: Snapshot
    request: DiffRequest

    @property
    def declared(self) -> _Declared:
        """What the cluster file says, over what the fleet shares."""
        own = self._yaml(self.request.clusters / f"{self.request.cluster}.yaml")
        if own is None:
            return _Declared(None, None)
        fields = {**(self._yaml(self.request.clusters / FLEET_FILE) or {}), **own}
        version = fields.get("version")
        return _Declared(version, fields.get("live") or version)

    @property
    def rendered(self) -> _Declared:
        """What the cluster file says, as far as it was rendered."""
        declared, versions = self.declared, self.versions
        return _Declared(
            version=declared.version if declared.version in versions else None,
            live=declared.live if declared.live in versions else None,
        )

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that are rendered."""
        folder = self.request.dist / self.request.cluster
        return self.snapshot.folders(folder)

    def tree(self, version: str | None) -> Tree:
        """Return the files of a version, none of None; raise DistError where it is missing."""
        if version is None:
            return {}
        folder = self.request.dist / self.request.cluster
        if version not in self.versions:
            raise unknown("version", version, self.versions, folder)
        tree = self.snapshot.tree(folder / version)
        own_folder = f"dist/{self.request.cluster}/{version}/".encode()
        return {
            path: content.replace(own_folder, _ANY_FOLDER)
            for path, content in tree.items()
            if path != RECORD_FILE
        }

    def synced(self, version: str | None) -> Tree:
        """Return the files of a version, and what Argo CD syncs whichever is live."""
        project = self.snapshot.read(self.request.dist / self.request.cluster / PROJECT)
        beside = {} if project is None else {f"{_ROOT}/{PROJECT}": project}
        return {**self.tree(version), **beside}

    def _yaml(self, file: Path) -> dict[str, Any] | None:
        content = self.snapshot.read(file)
        if content is None:
            return None
        try:
            documents = from_yaml(content.decode())
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise DistError(f"{file}: {error}") from error
        return documents[0] if documents else {}


def diff(request: DiffRequest) -> tuple[VersionDifference, ...]:
    """Compare versions of a cluster.

    Without a base: OLD with NEW, both from the disk. With a base: what is live there with what is
    live here, and, where they differ from those, what is rendered there with what is rendered
    here; named versions take their place.

    Raises DistError for an unknown cluster, version or reference, GitError where git cannot
    answer.
    """
    new = _Side(WorkTree(), request)
    old = new
    if request.base is not None:
        old = _Side(named_commit(request.clusters.parent, request.base), request)
    _check_cluster(old, new)
    # What was never rendered at the base is new; what is missing on the disk is a mistake.
    before = old.declared if old is new else old.rendered
    return tuple(
        VersionDifference(
            cluster=request.cluster,
            subject=subject,
            old=version,
            new=new_version,
            objects=_objects(subject, (old, version), (new, new_version)),
        )
        for subject, version, new_version in _pairs(request, before, new.declared)
    )


def _objects(
    subject: Subject, old: tuple[_Side, str | None], new: tuple[_Side, str | None]
) -> ObjectDifference:
    trees = (
        side.synced(version) if subject is Subject.LIVE else side.tree(version)
        for side, version in (old, new)
    )
    return diff_objects(*trees)


def _pairs(
    request: DiffRequest, old: _Declared, new: _Declared
) -> Iterator[tuple[Subject, str | None, str | None]]:
    """Yield what to compare with what."""
    if request.base is None or request.old is not None or request.new is not None:
        yield Subject.NAMED, request.old or old.live, request.new or new.version
        return
    yield Subject.LIVE, old.live, new.live
    if (old.version, new.version) != (old.live, new.live):
        yield Subject.RENDERED, old.version, new.version


def _check_cluster(*sides: _Side) -> None:
    """Raise DistError where no side has the cluster."""
    request = sides[0].request
    if any(side.versions or side.declared.version for side in sides):
        return
    known = {
        name
        for side in sides
        for name in side.snapshot.folders(request.dist)
        if side.snapshot.folders(request.dist / name)
    }
    known |= {file.stem for file in request.clusters.glob("*.yaml") if file.name != FLEET_FILE}
    raise unknown("cluster", request.cluster, sorted(known))
