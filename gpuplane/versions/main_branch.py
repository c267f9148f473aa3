"""The main branch: which versions it has released, and which one Argo CD syncs of a cluster."""

import re
import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from semver import Version

from charts_py.argocd.application import LIVE_APPLICATION
from gpuplane.versions.base import Base, base_before, branch_point
from gpuplane.versions.git import Checkout, Commit, find_checkout, find_commit, named_commit
from gpuplane.versions.record import (
    RECORD_FILE,
    ReleaseRecord,
    is_prerelease,
    read_record,
    record_in,
)
from gpuplane.versions.tree import DistError, Tree

_SYNCED_FOLDER = re.compile(rb"path: (?:\S+/)?dist/[^/]+/(?P<version>[^/]+)/argocd")
"""Matches the folder that a live Application syncs."""
CANDIDATES: Mapping[str, str] = {
    "origin/HEAD": "refs/remotes/origin/HEAD",
    "origin/main": "refs/remotes/origin/main",
    "main": "refs/heads/main",
}
"""Where the main branch is looked for, in this order: short names and, since a tag or local branch
may have the same, full ones."""


@dataclass(frozen=True, slots=True)
class Live:
    """The version of a cluster that Argo CD syncs, and where that is stated."""

    version: str
    place: str
    """The main branch, or a file where git knows none."""


@dataclass(frozen=True, slots=True)
class PrunedRecord:
    record: ReleaseRecord
    deletion: str
    """Short name of the commit that deleted it."""


@dataclass(frozen=True, slots=True)
class RepositoryRequest:
    """The folders of a platform repository that are read or written."""

    clusters: Path
    dist: Path
    main_branch: str | None = field(default=None, kw_only=True)
    """The git reference of the main branch, which shows what is released and live; found where
    absent."""
    mirror: Path | None = field(default=None, kw_only=True)
    """The folder of the pinned files of other projects, from which charts are rendered; None where
    there is none."""


class MainBranch:
    """The records of released versions on the main branch; none outside of a git checkout.

    Git is asked when the first record is; raises GitError where it cannot answer.
    """

    def __init__(self, dist: Path, reference: str | None = None) -> None:
        """Raise DistError for a reference that git does not know."""
        self._dist = dist
        self._named = None if reference is None else named_commit(dist, reference)

    @cached_property
    def commit(self) -> Commit | None:
        """The commit of the reference, or of the first candidate that git knows.

        Raises DistError where `dist` is a submodule that is not checked out.
        """
        commit = self._named or self._first_candidate()
        if commit is not None and commit.is_submodule(self._dist):
            raise DistError(
                f"{self._dist}: a submodule that is not checked out; "
                "run git submodule update --init"
            )
        return commit

    @cached_property
    def branch_point(self) -> Commit | None:
        """The commit where HEAD left the branch, or its tip where git does not know that."""
        return self.commit and (branch_point(self.commit) or self.commit)

    @property
    def base(self) -> Base | None:
        """What a change is compared with where nobody names it; None where git knows none."""
        tip = self.commit
        found = None if tip is None else base_before(tip.reference, tip)
        return None if found is None else replace(found, is_default=True)

    @property
    def reference(self) -> str | None:
        return None if self.commit is None else self.commit.reference

    @property
    def is_missing(self) -> bool:
        """Whether this is a checkout with commits where git knows no main branch.

        It is unknown then what is released or live, as in a shallow clone of another branch.
        """
        return self.commit is None and self.has_commits

    def record(self, cluster: str, version: str) -> ReleaseRecord | None:
        """Return the record of a version; None where the branch has no such version.

        Raises DistError where it holds something else.
        """
        file = self._dist / cluster / version / RECORD_FILE
        content = self.read(file)
        try:
            return None if content is None else read_record(content)
        except ValueError as error:
            raise DistError(f"{file} of {self.reference}: {error}") from error

    def pruned(self, cluster: str, version: str) -> PrunedRecord | None:
        """Return the record of a version that the branch once had and no longer has."""
        file = self._dist / cluster / version / RECORD_FILE
        if self.commit is None or self.read(file) is not None:
            return None
        checkout = self.commit.checkout
        if (deletion := checkout.last_commit(self.commit.object_name, file)) is None:
            return None
        before = Commit(checkout, deletion, f"{deletion}^")
        content = before.read(file)
        return None if content is None else PrunedRecord(record_in(content, file), deletion)

    def altered_records(self) -> tuple[str, ...]:
        """Return the paths below `dist` of released records that differ on the disk."""
        if self.commit is None or not self._dist.is_dir():
            return ()
        pattern = f"*/*/{RECORD_FILE}"
        altered = self.commit.checkout.altered_files(self.commit.object_name, pattern)
        return tuple(path for path in altered if not is_prerelease(Path(path).parent.name))

    def read(self, file: Path) -> bytes | None:
        return None if self.commit is None else self.commit.read(file)

    def tree(self, folder: Path) -> Tree:
        return {} if self.commit is None else self.commit.tree(folder)

    def folders(self, folder: Path) -> tuple[str, ...]:
        return () if self.commit is None else self.commit.folders(folder)

    @property
    def is_in_checkout(self) -> bool:
        """Whether git has anything to say about `dist` at all."""
        return self._checkout is not None

    @property
    def has_commits(self) -> bool:
        return self._checkout is not None and self._checkout.has_commits()

    @cached_property
    def _checkout(self) -> Checkout | None:
        return find_checkout(self._dist)

    def _first_candidate(self) -> Commit | None:
        if self._checkout is None:
            return None
        for name, reference in CANDIDATES.items():
            if (commit := find_commit(self._checkout, reference)) is not None:
                return replace(commit, reference=name)
        return None


def find_live(dist: Path, cluster: str, main_branch: MainBranch) -> Live | None:
    """Return the live version of a cluster; None where nothing is live.

    Argo CD follows the main branch, so its files count, and nothing is live that was never
    committed. Where git knows no main branch, the files on the disk count.
    """
    file = dist / cluster / LIVE_APPLICATION
    if main_branch.commit is not None:
        application, place = main_branch.read(file), str(main_branch.reference)
    elif main_branch.is_in_checkout and not main_branch.has_commits:
        return None
    else:
        application, place = file.read_bytes() if file.is_file() else None, str(file)
    if application is None:
        return None
    return Live(declared_version(application) or "a version", place)


def declared_version(application: bytes | None) -> str | None:
    stated = None if application is None else _SYNCED_FOLDER.search(application)
    version = "" if stated is None else stated["version"].decode()
    return version if Version.is_valid(version) else None


def check_live_are_here(dist: Path, names: Collection[str], main_branch: MainBranch) -> None:
    """Raise DistError, a line for each, for live clusters that are none of these names.

    A person or a merge may have deleted file and folder by mistake, which is no removal.
    """
    point = main_branch.branch_point
    gone = (name for name in (point.folders(dist) if point else ()) if name not in names)
    found = ((name, find_live(dist, name, main_branch)) for name in gone)
    problems = [
        f"{dist / name}: gone, with the file of the cluster, while {live.version} is live "
        f"({live.place}); restore both from git; gpuplane remove {shlex.quote(name)} then says how "
        "it is removed"
        for name, live in found
        if live is not None
    ]
    if problems:
        raise DistError("\n".join(problems))
