"""The versions that were live on a cluster, by the main branch, and what differs between two.

No cluster is asked. Argo CD follows `live-application.yaml` of the main branch, so a version is
live from the commit on that names it there. The time of a merge counts, and not that of the
commits that it brings (`git log --first-parent`).
"""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from semver import Version

from charts_py.cluster_file.cluster_files import FLEET_FILE
from gpuplane.versions.git import Commit
from gpuplane.versions.live_versions import live_commits, live_version
from gpuplane.versions.record import RECORD_FILE, ReleaseRecord, readable_record, record_in
from gpuplane.versions.snapshot import Snapshot


class PartKind(StrEnum):
    TOOL = "gpuplane"
    CHART = "chart"
    FLEET = FLEET_FILE


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """The tool that renders, a chart, or a field of `fleet.yaml`."""

    kind: PartKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".rstrip()


Parts: TypeAlias = Mapping[Part, str]
"""A version of each part; of a field of `fleet.yaml`, its SHA-256."""


@dataclass(frozen=True, slots=True)
class Move:
    """A version that goes live on a cluster."""

    cluster: str
    old: ReleaseRecord | None
    """What is live on the main branch; None where nothing is, or its record is gone."""
    old_version: str | None
    """The same; None where nothing is."""
    new: ReleaseRecord
    was_live: bool = False
    """Whether the main branch had the same objects live before; asked for a lower number alone."""

    @property
    def is_any(self) -> bool:
        return not self.new.has_objects_of(self.old)

    @property
    def has_lower_number(self) -> bool:
        if self.old_version is None:
            return False
        return Version.parse(self.new.version) < Version.parse(self.old_version)

    @property
    def is_rollback(self) -> bool:
        return self.has_lower_number and self.was_live

    @property
    def change(self) -> Parts:
        """The parts that are new or differ.

        A field that left `fleet.yaml` is empty; a chart that goes concerns its own cluster alone.
        """
        old, new = parts_of(self.old), parts_of(self.new)
        gone = {part: "" for part in old if part.kind is PartKind.FLEET and part not in new}
        changed = {part: value for part, value in new.items() if old.get(part) != value}
        return dict(sorted((gone | changed).items()))

    def __str__(self) -> str:
        if not self.is_any and self.old_version == self.new.version:
            return f"{self.cluster}: {self.old_version} stays live, as on the main branch"
        return f"{self.cluster}: {self.old_version or 'nothing'} -> {self.new.version}"


@dataclass(frozen=True, slots=True)
class LiveState:
    """What was live from some commit on, until the next one that changed it."""

    since: dt.datetime
    version: str | None
    parts: Parts


def live_history(main: Commit, dist: Path, cluster: str) -> Iterator[LiveState]:
    """Yield what was live on a cluster, the latest first.

    In a shallow clone it ends early: the oldest commit there says what was live by then. A version
    whose record this gpuplane does not understand has no known parts. Raises GitError where git
    cannot answer.
    """
    for commit, since in live_commits(main, dist, cluster):
        version = live_version(commit, dist, cluster)
        yield LiveState(since, version, parts_of(_record(commit, dist / cluster, version)))


def was_live(main: Commit, dist: Path, cluster: str, record: ReleaseRecord) -> bool:
    """Return whether a version was live with the same objects, as far back as the clone goes.

    Raises GitError where git cannot answer.
    """
    return any(
        live_version(commit, dist, cluster) == record.version
        and record.has_objects_of(_record(commit, dist / cluster, record.version))
        for commit, _ in live_commits(main, dist, cluster)
    )


def _record(commit: Commit, folder: Path, version: str | None) -> ReleaseRecord | None:
    return readable_record(commit.read(folder / version / RECORD_FILE)) if version else None


def live_at(
    snapshot: Snapshot, dist: Path, cluster: str
) -> tuple[str, ReleaseRecord | None] | tuple[None, None]:
    version = live_version(snapshot, dist, cluster)
    if version is None:
        return None, None
    file = dist / cluster / version / RECORD_FILE
    content = snapshot.read(file)
    return version, None if content is None else record_in(content, file)


def parts_of(record: ReleaseRecord | None) -> Parts:
    if record is None:
        return {}
    return {
        Part(PartKind.TOOL): record.tool_version,
        **{Part(PartKind.CHART, chart.name): chart.version for chart in record.charts},
        **{Part(PartKind.FLEET, name): value for name, value in (record.shared or {}).items()},
    }


def parts_in_words(parts: Parts) -> str:
    return ", ".join(
        str(part) if part.kind is PartKind.FLEET else f"{part} {value}"
        for part, value in sorted(parts.items())
    )
