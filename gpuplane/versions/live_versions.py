"""The versions that the main branch had Argo CD sync, and whether their folders are still there."""

import datetime as dt
import shlex
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from semver import Version

from charts_py.argocd.application import LIVE_APPLICATION
from gpuplane.versions.git import Commit
from gpuplane.versions.main_branch import MainBranch, declared_version
from gpuplane.versions.record import RECORD_FILE
from gpuplane.versions.snapshot import Snapshot
from gpuplane.versions.tree import DistError


def live_version(snapshot: Snapshot, dist: Path, cluster: str) -> str | None:
    return declared_version(snapshot.read(dist / cluster / LIVE_APPLICATION))


def live_commits(main: Commit, dist: Path, cluster: str) -> Iterator[tuple[Commit, dt.datetime]]:
    """Yield the commits that may have changed what is live, with their times, the latest first."""
    folder = main.name(dist / cluster).partition(":")[2]
    files = (f"{folder}/{LIVE_APPLICATION}", f":(glob){folder}/*/{RECORD_FILE}")
    listing = ("log", "--first-parent", "--format=%H %ct", main.object_name, "--", *files)
    for line in main.checkout.run(*listing).decode().splitlines():
        object_name, seconds = line.split()
        since = dt.datetime.fromtimestamp(int(seconds), dt.UTC)
        yield Commit(main.checkout, object_name, object_name), since


def latest_live(main: Commit, dist: Path, cluster: str) -> tuple[str, ...]:
    """Return what is live, and what was before it."""
    commits = (commit for commit, _ in live_commits(main, dist, cluster))
    versions = (live_version(commit, dist, cluster) for commit in commits)
    return tuple(islice(dict.fromkeys(each for each in versions if each), 2))


def check_needed_versions_exist(
    dist: Path, clusters: Iterable[str], main_branch: MainBranch
) -> None:
    """Raise DistError where a change deletes a folder of these clusters that Argo CD needs.

    For example, a revert deletes the live version before Argo CD has gone back. The AppProject then
    no longer allows it to prune what that version has.
    """
    problems = (each for name in clusters for each in _missing_versions(dist, name, main_branch))
    if told := "\n".join(problems):
        raise DistError(told)


def _missing_versions(dist: Path, cluster: str, main_branch: MainBranch) -> Iterator[str]:
    point, folder = main_branch.branch_point, dist / cluster
    there = () if point is None else filter(Version.is_valid, point.folders(folder))
    missing = {version for version in there if not (folder / version).is_dir()}
    # The history is long, and seldom asked.
    if point is None or not missing:
        return
    latest = latest_live(point, dist, cluster)
    for version in latest:
        if version not in missing:
            continue
        path = str(folder / version)
        restore = shlex.join(("git", "restore", "--source", point.reference, "--", path))
        if version == latest[0]:
            yield (
                f"{path}: gone, while {version} is live ({point.reference}); bring it back, and "
                f"cut the next version: {restore} && gpuplane release {shlex.quote(cluster)}"
            )
        else:
            yield (
                f"{path}: gone, though it is what {latest[0]} ({point.reference}) goes back to; "
                f"bring it back: {restore}"
            )
