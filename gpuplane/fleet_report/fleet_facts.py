"""What the page is made of: clusters as their files say, and as they were rendered."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import spec_digest
from gpuplane.versions.comparison import PlacedObject, VersionReader
from gpuplane.versions.git import find_checkout
from gpuplane.versions.record import RECORD_FILE, ReleaseRecord, record_in
from gpuplane.versions.snapshot import ClusterSnapshot, DeclaredVersions, WorkTree
from policies.admission import today


@dataclass(frozen=True)
class RenderedVersion:
    """A version of a cluster as it stands in `dist/`."""

    record: ReleaseRecord
    objects: Mapping[PlacedObject, Document]

    @cached_property
    def applications(self) -> Mapping[str, Document]:
        prefix = f"{self.record.cluster}-"
        return {
            placed.key.name.removeprefix(prefix): document
            for placed, document in sorted(self.objects.items(), key=lambda item: item[0])
            if placed.key.kind == "Application" and placed.key.name.startswith(prefix)
        }

    @cached_property
    def tolerations(self) -> Mapping[str, tuple[Mapping[str, Any], ...]]:
        """The taints that its objects and the values of its charts tolerate, by component."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for placed, document in sorted(self.objects.items(), key=lambda item: item[0]):
            name = placed.component
            if placed.key.kind == "Application":
                name = placed.key.name.removeprefix(f"{self.record.cluster}-")
            if stated := list(_tolerations(document)):
                found.setdefault(name, []).extend(stated)
        return {name: tuple(stated) for name, stated in sorted(found.items())}

    def of_kind(self, kind: str) -> tuple[Document, ...]:
        found = {placed.key: document for placed, document in self.objects.items()}
        return tuple(found[key] for key in sorted(found) if key.kind == kind)


@dataclass(frozen=True, slots=True)
class FleetCluster:
    platform: Platform
    rendered: RenderedVersion | None
    """The version that its file renders; None where it has not been rendered."""
    live: RenderedVersion | None
    """The version that its file has Argo CD sync; None where there is none in `dist/`."""

    @property
    def name(self) -> str:
        return self.platform.name

    @property
    def is_whole(self) -> bool:
        """Whether `dist/` has every version that its file names."""
        return self.rendered is not None and (self.live is not None or not self.platform.is_live)

    @property
    def is_current(self) -> bool:
        """Whether what was rendered is of the cluster file as it is."""
        rendered = self.rendered
        return rendered is not None and rendered.record.spec_digest == spec_digest(self.platform)


@dataclass(frozen=True, slots=True)
class Fleet:
    clusters: tuple[FleetCluster, ...]
    """Sorted by name."""
    as_of: dt.date
    """The day that exceptions and warnings are judged by."""

    @property
    def platforms(self) -> tuple[Platform, ...]:
        return tuple(cluster.platform for cluster in self.clusters)

    def from_root(self, text: str) -> str:
        """Return a text with paths from the root of the repository, wherever that stands."""
        for folder in {str(platform.directory.parent) for platform in self.platforms} - {"."}:
            text = text.replace(f"{folder}/", "")
        return text


def fleet_of(
    platforms: Iterable[Platform], dist: Path, as_of: dt.date, here: WorkTree | None = None
) -> Fleet:
    """Return the clusters with what was rendered of them; raise DistError where that is damaged."""
    by_name = sorted(platforms, key=lambda platform: platform.name)
    tree = here or WorkTree()
    return Fleet(tuple(_cluster(platform, dist, tree) for platform in by_name), as_of)


def _cluster(stated: Platform, dist: Path, here: WorkTree) -> FleetCluster:
    snapshot = ClusterSnapshot(here, stated.directory, dist, stated.name)
    platform = _as_cut(stated, snapshot.declared) if stated.name in here.cut else stated
    versions = {platform.cluster.version, *([platform.live] if platform.is_live else [])}
    reader, found = VersionReader(), dict[str, RenderedVersion]()
    for version in sorted(versions):
        file = dist / platform.name / version / RECORD_FILE
        if (record := here.read(file)) is not None:
            objects = reader.objects_of(snapshot.tree(version))
            found[version] = RenderedVersion(record_in(record, file), objects)
    return FleetCluster(
        platform=platform,
        rendered=found.get(platform.cluster.version),
        live=found.get(platform.live) if platform.is_live else None,
    )


def _as_cut(platform: Platform, declared: DeclaredVersions) -> Platform:
    """Return a cluster with the version that is cut of it, which its file does not state yet."""
    versions = {"version": declared.version, "live": declared.live or NOT_LIVE}
    return replace(platform, cluster=platform.cluster.model_copy(update=versions))


def _tolerations(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key.lower().endswith("tolerations") and isinstance(each, list):
                yield from (one for one in each if isinstance(one, dict))
            else:
                yield from _tolerations(each)
    elif isinstance(value, list):
        for each in value:
            yield from _tolerations(each)


def newest_commit_day(folder: Path) -> dt.date:
    """Return the day of the newest commit of a checkout, in UTC; today where there is none.

    So that the page of a commit is the same on every day. Raises GitError where git cannot answer.
    """
    checkout = find_checkout(folder)
    if checkout is None or checkout.commit("HEAD") is None:
        return today()
    seconds = checkout.run("log", "-1", "--format=%ct", "HEAD")
    return dt.datetime.fromtimestamp(int(seconds), dt.UTC).date()
