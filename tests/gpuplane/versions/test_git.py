"""Asking git about a checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpuplane.versions.dist_error import DistError
from gpuplane.versions.git import REMEDY, Checkout, GitError, find_checkout
from tests.gpuplane.versions.conftest import commit_all, distrust_checkouts, object_file, run_git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a checkout with one commit and an empty folder `dist`."""
    (tmp_path / "README.md").touch()
    commit_all(tmp_path)
    (tmp_path / "dist").mkdir()
    return tmp_path


def test_a_checkout_is_found_from_any_folder_in_it(repository: Path) -> None:
    assert find_checkout(repository) == Checkout(repository)
    assert find_checkout(repository / "dist") == Checkout(repository / "dist")
    assert find_checkout(repository / "missing" / "folder") == Checkout(repository)


def test_outside_of_a_checkout_git_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_checkout(tmp_path) is None


def test_in_a_checkout_git_is_needed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(GitError) as refused:
        find_checkout(repository / "dist")
    assert str(refused.value) == (
        f"{repository}/dist: git is not on the PATH, and only git can read {repository}/.git; "
        "install it"
    )


def test_a_checkout_of_another_user_is_refused_with_what_git_says_to_do(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distrust_checkouts(monkeypatch)
    with pytest.raises(GitError) as refused:
        find_checkout(repository / "dist")
    message = str(refused.value)
    assert message.startswith(
        f"{repository}/dist: git cannot open {repository}/.git; fix what it reports:\n"
        f"fatal: detected dubious ownership in repository at '{repository}'\n"
    )
    assert message.endswith(f"git config --global --add safe.directory {repository}")


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_a_repository_that_is_out_of_reach_is_not_taken_for_none(tmp_path: Path, kind: str) -> None:
    place = tmp_path / ".git"
    if kind == "folder":
        place.mkdir()
    elif kind == "file":
        place.write_text("gitdir: /gone\n", encoding="utf-8")
    else:
        place.symlink_to("/gone")
    with pytest.raises(GitError) as refused:
        find_checkout(tmp_path)
    message = str(refused.value)
    assert message.startswith(
        f"{tmp_path}: git cannot open {place}; fix what it reports:\nfatal: not a git repository"
    )


def test_a_bare_repository_is_not_a_checkout(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--bare", "platform.git")
    assert find_checkout(tmp_path / "platform.git" / "dist") is None
    (tmp_path / ".git").write_text("gitdir: platform.git\n", encoding="utf-8")
    with pytest.raises(GitError) as refused:
        find_checkout(tmp_path / "dist")
    assert str(refused.value) == (
        f"{tmp_path}: {tmp_path}/.git has no work tree here; run this in a checkout"
    )


@pytest.mark.parametrize("value", [".git", "{repository}/.git", "/gone"])
def test_the_repository_of_a_hook_is_the_one_that_the_folder_lies_in(
    repository: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    head = run_git(repository, "rev-parse", "HEAD")
    monkeypatch.chdir(repository)
    monkeypatch.setenv("GIT_DIR", value.format(repository=repository))
    checkout = find_checkout(Path("dist"))
    assert checkout is not None
    assert checkout.commit("main") == head
    assert checkout.run("rev-parse", "--show-prefix") == b"dist/\n"


def test_a_repository_that_only_the_environment_names_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/srv/platform.git")
    with pytest.raises(GitError) as refused:
        find_checkout(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path}: GIT_DIR is set, but no .git is in this folder or above; "
        "unset GIT_DIR, or work in a checkout"
    )


@pytest.mark.parametrize("reference", ["mian", "--all", "", "main..main", "origin/HEAD"])
def test_an_unknown_reference_is_none(repository: Path, reference: str) -> None:
    assert Checkout(repository).commit(reference) is None


def test_a_reference_to_a_commit_that_is_not_here_is_refused(repository: Path) -> None:
    reference = "f" * 40
    with pytest.raises(GitError) as refused:
        Checkout(repository).commit(reference)
    assert str(refused.value) == (
        f'{repository}: "{reference}" is not a commit that git has here; {REMEDY}'
    )


@pytest.mark.parametrize(
    ("reference", "kind"), [("main:README.md", "blob"), ("main^{tree}", "tree")]
)
def test_a_reference_to_what_is_no_commit_is_refused(
    repository: Path, reference: str, kind: str
) -> None:
    with pytest.raises(DistError) as refused:
        Checkout(repository).commit(reference)
    assert type(refused.value) is DistError
    assert str(refused.value) == (
        f'{repository}: "{reference}" is a {kind}, not a commit; '
        "allowed: a branch, tag or commit that is fetched"
    )


def test_what_git_cannot_read_is_told_in_its_words(repository: Path) -> None:
    file = object_file(repository, "main")
    file.chmod(0o600)
    file.write_bytes(b"damaged")
    with pytest.raises(GitError) as refused:
        Checkout(repository).commit("main")
    message = str(refused.value)
    assert message.startswith(f"{repository}: git cannot answer: error: ")
    assert message.endswith(f"is corrupt; {REMEDY}")


def test_git_speaks_english_whatever_the_locale(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LC_ALL", "LANGUAGE"):
        monkeypatch.setenv(name, "de_DE.UTF-8")
    with pytest.raises(GitError, match="Not a valid object name"):
        Checkout(repository).run("ls-tree", "mian")
    assert os.environ["LC_ALL"] == "de_DE.UTF-8"


def test_commits_are_there_after_the_first(tmp_path: Path) -> None:
    run_git(tmp_path, "init")
    checkout = Checkout(tmp_path)
    assert (checkout.has_commits(), checkout.references()) == (False, ())
    (tmp_path / "README.md").touch()
    commit_all(tmp_path)
    run_git(tmp_path, "tag", "v1")
    run_git(tmp_path, "branch", "--move", "main")
    assert (checkout.has_commits(), checkout.references()) == (True, ("main", "v1"))
