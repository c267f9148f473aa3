"""Comparing two rendered versions of a cluster, from the disk or from git."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FILE
from gpuplane.versions.difference import (
    ObjectDifference,
    PlacedDocuments,
    changed_documents,
    diff_documents,
)
from gpuplane.versions.git import named_commit
from gpuplane.versions.snapshot import ClusterSnapshot, DeclaredVersions, WorkTree
from gpuplane.versions.tree import Tree, unknown


class Subject(StrEnum):
    """The question that a comparison answers."""

    LIVE = "live"
    """Argo CD syncs these versions, so a merge changes this on the cluster."""
    RENDERED = "rendered"
    """The sources render these versions, so promoting would change this."""
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class DiffRequest:
    """Two versions to compare."""

    clusters: Path
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
    """The difference of two versions; one is None where the cluster is new, or gone."""

    cluster: str
    subject: Subject
    old: str | None
    new: str | None
    objects: ObjectDifference


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One side of a comparison: a version in one state of the repository."""

    snapshot: ClusterSnapshot
    version: str | None
    tree: Tree

    def file_name(self, path: str) -> str:
        return self.snapshot.file_name(self.version, path)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions of a cluster, to be compared."""

    cluster: str
    subject: Subject
    old: ComparedSide
    new: ComparedSide

    def documents(self) -> tuple[PlacedDocuments, PlacedDocuments]:
        """Return the objects of the files that differ, as they were and as they are.

        Raises DistError for a file without an object.
        """
        old, new = self.old, self.new
        return changed_documents(old.tree, new.tree, old.file_name, new.file_name)


def diff(request: DiffRequest) -> tuple[VersionDifference, ...]:
    """Compare versions of a cluster, as `comparisons` chooses them, and raises."""
    return tuple(
        VersionDifference(
            *(each.cluster, each.subject, each.old.version, each.new.version),
            objects=diff_documents(*each.documents()),
        )
        for each in comparisons(request)
    )


def comparisons(request: DiffRequest) -> Iterator[Comparison]:
    """Yield the versions of a cluster to compare.

    Without a base: OLD with NEW, both from the disk. With a base: what is live there with what is
    live here, and, where they differ from those, what is rendered there with what is rendered
    here; named versions take their place.

    What a base holds is compared as it stands there, damaged or not, since a change may mend it.

    Raises DistError for an unknown cluster, version or reference and for a version on the disk that
    is not as it was rendered, GitError where git cannot answer.
    """
    new = ClusterSnapshot(WorkTree(), request.clusters, request.dist, request.cluster)
    old = new
    if request.base is not None:
        base = named_commit(request.clusters.parent, request.base)
        old = replace(new, snapshot=base, must_be_whole=False)
    if not any(side.versions or side.declared.version for side in (old, new)):
        known = {name for side in (old, new) for name in side.rendered_clusters}
        known |= {file.stem for file in request.clusters.glob("*.yaml") if file.name != FLEET_FILE}
        raise unknown("cluster", request.cluster, sorted(known))
    # What was never rendered at the base is new; what is missing on the disk is a mistake.
    declared = old.declared if old is new else old.rendered
    for subject, before, after in _pairs(request, declared, new.declared):
        sides = _side(subject, old, before), _side(subject, new, after)
        yield Comparison(request.cluster, subject, *sides)


def _pairs(
    request: DiffRequest, old: DeclaredVersions, new: DeclaredVersions
) -> Iterator[tuple[Subject, str | None, str | None]]:
    if request.base is None or request.old is not None or request.new is not None:
        yield Subject.NAMED, request.old or old.live, request.new or new.version
        return
    yield Subject.LIVE, old.live, new.live
    if (old.version, new.version) != (old.live, new.live):
        yield Subject.RENDERED, old.version, new.version


def _side(subject: Subject, snapshot: ClusterSnapshot, version: str | None) -> ComparedSide:
    read = snapshot.synced if subject is Subject.LIVE else snapshot.tree
    return ComparedSide(snapshot, version, read(version))
