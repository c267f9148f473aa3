"""What was live on a cluster, and since when, from the main branch.

No cluster is asked. What Argo CD follows is `live-application.yaml` of the main branch, so that a
version is live from the commit on that names it there. Of a merge, its own time counts, and not
that of the commits that it brings (`git log --first-parent`).
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from charts_py.argocd.pinned_files import LIVE_APPLICATION
from gpuplane.release.part import Parts, parts_of
from gpuplane.versions.commit import Commit
from gpuplane.versions.liveness import stated_version
from gpuplane.versions.record import RECORD_FILE, ReleaseRecord, read_record, record_in
from gpuplane.versions.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class LiveState:
    """What was live from some commit on, until the next one that changed it."""

    since: dt.datetime
    version: str | None
    """None where nothing was."""
    parts: Parts


def live_history(main: Commit, dist: Path, cluster: str) -> Iterator[LiveState]:
    """Yield what was live on a cluster, the latest first.

    In a shallow clone it ends early: its oldest commit says then what was live at the latest. What
    has a record that this gpuplane does not understand has no known parts. Raises GitError where
    git cannot answer.
    """
    for commit, since in _commits(main, dist, cluster):
        version = live_version(commit, dist, cluster)
        yield LiveState(since, version, parts_of(_record(commit, dist / cluster, version)))


def was_live(main: Commit, dist: Path, cluster: str, record: ReleaseRecord) -> bool:
    """Return whether a version was live with the same objects, as far back as the clone goes.

    Raises GitError where git cannot answer.
    """
    return any(
        live_version(commit, dist, cluster) == record.version
        and record.has_objects_of(_record(commit, dist / cluster, record.version))
        for commit, _ in _commits(main, dist, cluster)
    )


def _commits(main: Commit, dist: Path, cluster: str) -> Iterator[tuple[Commit, dt.datetime]]:
    """Yield what may have changed what is live on a cluster, and when, the latest first."""
    folder = main.name(dist / cluster).partition(":")[2]
    files = (f"{folder}/{LIVE_APPLICATION}", f":(glob){folder}/*/{RECORD_FILE}")
    listing = ("log", "--first-parent", "--format=%H %ct", main.object_name, "--", *files)
    for line in main.checkout.run(*listing).decode().splitlines():
        object_name, seconds = line.split()
        since = dt.datetime.fromtimestamp(int(seconds), dt.UTC)
        yield Commit(main.checkout, object_name, object_name), since


def _record(commit: Commit, folder: Path, version: str | None) -> ReleaseRecord | None:
    content = None if version is None else commit.read(folder / version / RECORD_FILE)
    try:
        return None if content is None else read_record(content)
    except ValueError:
        return None


def live_version(snapshot: Snapshot, dist: Path, cluster: str) -> str | None:
    """Return the version that is live in a state of the repository; None where none is."""
    return stated_version(snapshot.read(dist / cluster / LIVE_APPLICATION))


def live_at(
    snapshot: Snapshot, dist: Path, cluster: str
) -> tuple[str, ReleaseRecord | None] | tuple[None, None]:
    """Return the version that is live in a state of the repository, and its record."""
    version = live_version(snapshot, dist, cluster)
    if version is None:
        return None, None
    file = dist / cluster / version / RECORD_FILE
    content = snapshot.read(file)
    return version, None if content is None else record_in(content, file)
