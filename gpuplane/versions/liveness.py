"""Whether Argo CD syncs a cluster, as far as the repository shows."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from semver import Version

from charts_py.argocd.pinned_files import LIVE_APPLICATION
from gpuplane.versions.dist_error import DistError
from gpuplane.versions.main_branch import MainBranch

_FOLDER = re.compile(rb"path: (?:\S+/)?dist/[^/]+/(?P<version>[^/]+)/argocd")
"""What the live Application syncs."""


@dataclass(frozen=True, slots=True)
class Live:
    """The version of a cluster that Argo CD syncs, and where that is stated."""

    version: str
    place: str
    """The main branch, or a file where git knows none."""


def find_live(dist: Path, cluster: str, main_branch: MainBranch) -> Live | None:
    """Return what is live of a cluster; None where nothing is.

    Argo CD follows the main branch, so what its files say counts, and nothing is live that never
    was committed. Where git knows no main branch, the files on the disk count.
    """
    file = dist / cluster / LIVE_APPLICATION
    if main_branch.commit is not None:
        return _live(main_branch.read(file), str(main_branch.reference))
    if main_branch.is_in_checkout and not main_branch.has_commits:
        return None
    return _live(file.read_bytes() if file.is_file() else None, str(file))


def stated_version(application: bytes | None) -> str | None:
    """Return the version that a live Application syncs; None where it names none."""
    stated = None if application is None else _FOLDER.search(application)
    version = "" if stated is None else stated["version"].decode()
    return version if Version.is_valid(version) else None


def check_live_are_here(dist: Path, names: Collection[str], main_branch: MainBranch) -> None:
    """Raise DistError, a line for each, for clusters that are live, and are none of these names.

    So that what a person or a merge deleted by mistake, file and folder, is not a removal.
    """
    gone = (name for name in main_branch.folders(dist) if name not in names)
    found = ((name, find_live(dist, name, main_branch)) for name in gone)
    problems = [_gone(dist, name, live) for name, live in found if live is not None]
    if problems:
        raise DistError("\n".join(problems))


def _gone(dist: Path, name: str, live: Live) -> str:
    return (
        f"{dist / name}: gone, with the file of the cluster, while {live.version} is live "
        f"({live.place}); restore both from git; gpuplane remove {name} then says how it is removed"
    )


def _live(application: bytes | None, place: str) -> Live | None:
    if application is None:
        return None
    return Live(stated_version(application) or "a version", place)
