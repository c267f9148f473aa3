"""What the main branch of the platform repository holds of `dist/`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from gpuplane.versions.commit import Commit, find_commit, named_commit
from gpuplane.versions.dist_error import DistError
from gpuplane.versions.git import Checkout, find_checkout
from gpuplane.versions.record import (
    RECORD_FILE,
    ReleaseRecord,
    is_prerelease,
    read_record,
    record_in,
)
from gpuplane.versions.tree import Tree

CANDIDATES: Mapping[str, str] = {
    "origin/HEAD": "refs/remotes/origin/HEAD",
    "origin/main": "refs/remotes/origin/main",
    "main": "refs/heads/main",
}
"""Where the main branch is looked for, in this order: short names and, since a tag or local branch
may have the same, full ones."""


@dataclass(frozen=True, slots=True)
class PrunedRecord:
    """What is known of a version that was deleted."""

    record: ReleaseRecord
    deletion: str
    """Short name of the commit that deleted it."""


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

    @property
    def reference(self) -> str | None:
        """The name of that commit."""
        return None if self.commit is None else self.commit.reference

    @property
    def is_missing(self) -> bool:
        """Whether this is a checkout with commits in which git knows no main branch.

        It is unknown then what is released, as in a shallow clone of another branch.
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
        """Return what the branch once had of a version that it has no more; None without that."""
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
        """Return the records of released versions that are here otherwise, below `dist`."""
        if self.commit is None or not self._dist.is_dir():
            return ()
        pattern = f"*/*/{RECORD_FILE}"
        altered = self.commit.checkout.altered_files(self.commit.object_name, pattern)
        return tuple(path for path in altered if not is_prerelease(Path(path).parent.name))

    def read(self, file: Path) -> bytes | None:
        """Return the content that the branch has of a file; None where it has none."""
        return None if self.commit is None else self.commit.read(file)

    def tree(self, folder: Path) -> Tree:
        """Return every file that the branch has below a folder."""
        return {} if self.commit is None else self.commit.tree(folder)

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders that the branch has in a folder, sorted."""
        return () if self.commit is None else self.commit.folders(folder)

    @property
    def is_in_checkout(self) -> bool:
        """Whether git has anything to say about `dist` at all."""
        return self._checkout is not None

    @property
    def has_commits(self) -> bool:
        """Whether anything was ever committed, on whichever branch."""
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
