"""Comparing two rendered versions of a cluster, from the disk or from git."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.objects.document import Document, ObjectKey
from charts_py.objects.fields import FieldChange, changed_fields
from charts_py.objects.manifest_yaml import ManifestError, ManifestReader
from gpuplane.versions.base import Base
from gpuplane.versions.record import RESTORE
from gpuplane.versions.snapshot import ClusterSnapshot, DeclaredVersions, WorkTree
from gpuplane.versions.tree import DistError, Tree, is_manifest, unknown


@dataclass(frozen=True, slots=True, order=True)
class PlacedObject:
    component: str
    key: ObjectKey

    def __str__(self) -> str:
        return f"{self.component}: {self.key}"


@dataclass(frozen=True, slots=True)
class ChangedObject:
    placed: PlacedObject
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class ObjectDifference:
    """The objects that differ, sorted by component."""

    added: tuple[PlacedObject, ...] = ()
    removed: tuple[PlacedObject, ...] = ()
    changed: tuple[ChangedObject, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def __str__(self) -> str:
        counts = {word: len(getattr(self, word)) for word in ("added", "changed", "removed")}
        return ", ".join(f"{n} {word}" for word, n in counts.items() if n) or "no change"


PlacedDocuments: TypeAlias = Mapping[PlacedObject, Document]
"""Objects by where they are placed."""
FileName: TypeAlias = Callable[[str], str]
"""Names the file at a path of a version as messages do."""


class VersionReader:
    """Reads versions of a cluster; those that it has read have documents in common."""

    def __init__(self) -> None:
        self._manifests = ManifestReader()

    def objects_of(self, tree: Tree, name: FileName = str) -> PlacedDocuments:
        """Return the objects of a version; raise DistError for a file without one."""
        files = {path: text for path, text in tree.items() if "/" in path and is_manifest(path)}
        try:
            read = self._manifests.read(files)
        except ManifestError as error:
            raise DistError(f"{name(error.path)}: {error}; {RESTORE}") from error
        return {
            PlacedObject(path.partition("/")[0], key): document
            for path, objects in read.items()
            for key, document in objects
        }


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
    base: Base | None = None
    """Where to take the old side from; absent, the disk."""
    here: WorkTree = field(default_factory=WorkTree)


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """The difference of two versions; one is None where the cluster is new, or gone."""

    cluster: str
    subject: Subject
    old: str | None
    new: str | None
    objects: ObjectDifference
    rendered_here: bool = False
    """Whether the new version is what its cluster file renders, which is not in `dist/`."""


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One side of a comparison: a version in one state of the repository."""

    snapshot: ClusterSnapshot
    version: str | None
    tree: Tree

    def file_name(self, path: str) -> str:
        return self.snapshot.file_name(self.version, path)

    def documents(self, other: Tree) -> PlacedDocuments:
        """Return the objects of the files that another tree does not have like this."""
        files = {path: text for path, text in self.tree.items() if other.get(path) != text}
        return VersionReader().objects_of(files, self.file_name)


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
        return self.old.documents(self.new.tree), self.new.documents(self.old.tree)


def diff(request: DiffRequest) -> tuple[VersionDifference, ...]:
    """Compare versions of a cluster, as `comparisons` chooses them, and raises.

    Raises DistError for an unknown cluster, too.
    """
    cluster_names(request, (request.cluster,))
    is_edited = request.cluster in request.here.rendered_here
    found = []
    for each in comparisons(request):
        sides, objects = (each.old.version, each.new.version), diff_documents(*each.documents())
        is_rendered = is_edited and each.new.version == each.new.snapshot.declared.version
        found.append(VersionDifference(each.cluster, each.subject, *sides, objects, is_rendered))
    return tuple(found)


def cluster_names(request: DiffRequest, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the clusters that are asked for, or all of either side, sorted.

    Raises DistError for one that neither side has: a name becomes a path.
    """
    here, base = ClusterSnapshot(request.here, request.clusters, request.dist, ""), request.base
    names = {file.stem for file in request.clusters.glob("*.yaml") if file.name != FLEET_FILE}
    names.update(here.rendered_clusters)
    if base is not None and not (asked and names.issuperset(asked)):
        names.update(replace(here, snapshot=base.commit).rendered_clusters)
    for name in asked:
        if name not in names:
            raise unknown("cluster", name, sorted(names))
    return tuple(asked) or tuple(sorted(names))


def comparisons(request: DiffRequest) -> Iterator[Comparison]:
    """Yield the versions of a cluster to compare.

    Without a base: OLD with NEW, both from the disk. With a base: what is live there with what is
    live here, and, where they differ from those, what is rendered there with what is rendered
    here; named versions take their place. Where another version goes live, and
    another one is rendered, that is compared with the first, from which a later promotion goes;
    where what is rendered goes live, that is all.

    What a base holds is compared as it stands there, damaged or not, since a change may mend it.

    Raises DistError for an unknown version and for a version on the disk that is not as it was
    rendered, GitError where git cannot answer.
    """
    new = ClusterSnapshot(request.here, request.clusters, request.dist, request.cluster)
    old = new
    if request.base is not None:
        old = replace(new, snapshot=request.base.commit, must_be_whole=False)
    elif request.cluster in request.here.edited:
        old = replace(new, snapshot=WorkTree())
    # What was never rendered at the base is new; what is missing on the disk is a mistake.
    declared = old.declared if old is new else old.rendered
    if request.base is None and old is not new:
        declared = DeclaredVersions(None, old.synced_version)
    for subject, before, after in _pairs(request, declared, new.declared):
        first, last = _side(subject, old, before), _side(subject, new, after)
        is_rendered = subject is Subject.RENDERED and first.tree != last.tree
        if is_rendered and _moves(declared, new.declared):
            first = _side(subject, new, new.declared.live)
        yield Comparison(request.cluster, subject, first, last)


def _moves(old: DeclaredVersions, new: DeclaredVersions) -> bool:
    """Say whether another version goes live, and is not all that is rendered."""
    return None not in (old.live, new.live) and old.live != new.live != new.version


def _pairs(
    request: DiffRequest, old: DeclaredVersions, new: DeclaredVersions
) -> Iterator[tuple[Subject, str | None, str | None]]:
    if request.base is None or request.old is not None or request.new is not None:
        yield Subject.NAMED, request.old or old.live, request.new or new.version
        return
    yield Subject.LIVE, old.live, new.live
    # Where what is rendered goes live, the first pair has all of it.
    goes_live = new.live is not None and old.live != new.live == new.version
    if (old.version, new.version) != (old.live, new.live) and not goes_live:
        yield Subject.RENDERED, old.version, new.version


def _side(subject: Subject, snapshot: ClusterSnapshot, version: str | None) -> ComparedSide:
    read = snapshot.synced if subject is Subject.LIVE else snapshot.tree
    return ComparedSide(snapshot, version, read(version))


def diff_documents(before: PlacedDocuments, after: PlacedDocuments) -> ObjectDifference:
    """Compare objects by where they are placed.

    An object that moves to another component is removed and added, which is also what Argo CD
    does.
    """
    both = [
        ChangedObject(placed, tuple(changed_fields(before[placed], after[placed])))
        for placed in sorted(before.keys() & after.keys())
    ]
    return ObjectDifference(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(changed for changed in both if changed.fields),
    )
