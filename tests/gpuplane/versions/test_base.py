"""Bases of changes, in the git graphs that hosts make."""

from pathlib import Path

import pytest

from gpuplane.versions.base import branch_point, find_base
from gpuplane.versions.git import named_commit
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import run_git


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Return a checkout of the branch `change`, which left `main` two commits ago."""
    folder = tmp_path / "platform"
    folder.mkdir()
    run_git(folder, "init", "--initial-branch", "main")
    _commit(folder, "left")
    run_git(folder, "checkout", "-b", "change")
    _commit(folder, "change")
    run_git(folder, "checkout", "main")
    _commit(folder, "colleague")
    _commit(folder, "another")
    run_git(folder, "checkout", "change")
    return folder


def _commit(folder: Path, message: str) -> None:
    run_git(folder, "commit", "--allow-empty", "--message", message)


def _subject(folder: Path, reference: str = "main", *, is_exact: bool = False) -> str:
    base = find_base(folder, reference, is_exact=is_exact)
    assert base is not None
    return run_git(folder, "log", "-1", "--format=%s", base.commit.object_name)


def test_a_branch_is_compared_with_where_it_left(graph: Path) -> None:
    assert _subject(graph) == "left"
    assert _subject(graph, is_exact=True) == "another"
    left = run_git(graph, "rev-parse", "--short=12", "main~2")
    assert str(find_base(graph, "main")) == f"{left}, 2 commits before main"


@pytest.mark.parametrize("reference", ["main", "main~1"])
def test_a_merge_into_its_target_is_compared_with_the_target(graph: Path, reference: str) -> None:
    """GitHub's refs/pull/N/merge and GitLab's merged results are such commits."""
    run_git(graph, "checkout", "--detach", "main")
    run_git(graph, "merge", "--no-ff", "change", "--message", "merge")
    assert _subject(graph, reference) == {"main": "another", "main~1": "colleague"}[reference]
    assert str(find_base(graph, reference)) == reference


def test_a_target_that_went_on_after_the_merge_is_compared_as_it_was(graph: Path) -> None:
    run_git(graph, "checkout", "-b", "merged", "main")
    run_git(graph, "merge", "--no-ff", "change", "--message", "merge")
    run_git(graph, "checkout", "main")
    _commit(graph, "later")
    run_git(graph, "checkout", "--detach", "merged")
    assert _subject(graph) == "another"


def test_a_shallow_clone_of_a_merge_knows_its_target(graph: Path, tmp_path: Path) -> None:
    run_git(graph, "checkout", "-b", "merged", "main")
    run_git(graph, "merge", "--no-ff", "change", "--message", "merge")
    clone = _shallow_clone(graph, tmp_path / "clone", "merged")
    assert _subject(clone, "origin/main") == "another"


def test_a_shallow_clone_of_a_branch_says_what_to_fetch(graph: Path, tmp_path: Path) -> None:
    clone = _shallow_clone(graph, tmp_path / "clone", "change")
    assert message_of(DistError, find_base, clone, "origin/main") == (
        f'{clone}: HEAD has no commit in common with "origin/main", as this clone is shallow: '
        "fetch all of it (git fetch --unshallow, or fetch-depth: 0); allowed: --base-exact, which "
        "compares with its tip"
    )
    assert _subject(clone, "origin/main", is_exact=True) == "another"


def _shallow_clone(graph: Path, clone: Path, branch: str) -> Path:
    clone.mkdir()
    run_git(clone, "clone", "--depth", "1", "--branch", branch, f"file://{graph}", ".")
    run_git(clone, "fetch", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    return clone


def test_unrelated_histories_have_no_base(graph: Path) -> None:
    run_git(graph, "checkout", "--orphan", "alone")
    _commit(graph, "alone")
    assert branch_point(named_commit(graph, "main")) is None
    assert message_of(DistError, find_base, graph, "main") == (
        f'{graph}: HEAD has no commit in common with "main"; allowed: --base-exact, which compares '
        "with its tip"
    )


def test_a_checkout_without_commits_is_compared_with_the_tip(graph: Path) -> None:
    run_git(graph, "checkout", "--orphan", "new")
    assert _subject(graph) == "another"
