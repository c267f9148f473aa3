"""What a change is compared with: the commit where its branch left another."""

from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.fault import counted
from gpuplane.versions.git import Checkout, Commit, named_commit
from gpuplane.versions.tree import DistError

_SHORT = 12
"""Digits of an object name that messages show."""


@dataclass(frozen=True, slots=True)
class Base:
    """A git reference, and the commit to compare with."""

    reference: str
    """As it was named."""
    commit: Commit
    missing: int = 0
    """Commits of the reference that the change does not have; 0 where its tip is the commit."""
    is_exact: bool = False
    is_default: bool = False
    """Whether nobody named it: it is the main branch."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The options of a command that compares with the same."""
        return ("--base", self.reference, *(("--base-exact",) if self.is_exact else ()))

    def __str__(self) -> str:
        """Name the commit; the reference alone moves on."""
        if not self.missing:
            return self.reference
        commits = counted(self.missing, "commit")
        return f"{self.commit.reference}, {commits} before {self.reference}"


def find_base(folder: Path, reference: str | None, *, is_exact: bool = False) -> Base | None:
    """Return where HEAD left a reference or, if exact, its tip; None without a reference.

    What others have merged since then is no part of the change. A pull request is often checked out
    merged into its target, which is its own base then.

    Raises DistError for an unknown reference, and where HEAD has no commit in common with it;
    GitError where git cannot answer.
    """
    if reference is None:
        if is_exact:
            raise DistError("--base-exact needs a reference: --base REF")
        return None
    tip = named_commit(folder, reference)
    if is_exact:
        return Base(reference, tip, is_exact=True)
    base = base_before(reference, tip)
    if base is None:
        raise DistError(
            f'{folder}: HEAD has no commit in common with "{reference}"'
            f"{_shallow_words(tip.checkout)}; allowed: --base-exact, which compares with its tip"
        )
    return base


def base_before(reference: str, tip: Commit) -> Base | None:
    """Return where HEAD left a reference with this tip; None where git finds none in common."""
    commit = branch_point(tip)
    if commit is None:
        return None
    if commit == tip:
        return Base(reference, tip)
    return Base(reference, commit, tip.checkout.count(commit.object_name, tip.object_name))


def branch_point(tip: Commit) -> Commit | None:
    """Return the commit where HEAD left a branch; None where git finds none in common."""
    checkout, name = tip.checkout, tip.object_name
    head = checkout.commit("HEAD")
    # Nothing is committed yet, or a shallow clone lacks the history that HEAD was merged from.
    if head is None or name in (head, *checkout.parents(head)):
        return tip
    found = checkout.merge_base(name, head)
    if found is None:
        return None
    return tip if found == name else Commit(checkout, found[:_SHORT], found)


def _shallow_words(checkout: Checkout) -> str:
    if not checkout.is_shallow():
        return ""
    return ", as this clone is shallow: fetch all of it (git fetch --unshallow, or fetch-depth: 0)"
