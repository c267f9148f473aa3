"""Checkouts, and what their commits hold; test_snapshot.py shows that both read as the disk."""

import os
from pathlib import Path

import pytest

from gpuplane.versions.git import (
    REMEDY,
    Checkout,
    GitError,
    find_checkout,
    mail_of_user,
    named_commit,
)
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of
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
    assert message_of(GitError, find_checkout, repository / "dist") == (
        f"{repository}/dist: git is not on the PATH, and only git can read {repository}/.git; "
        "install it"
    )


def test_a_checkout_of_another_user_is_refused_with_what_git_says_to_do(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distrust_checkouts(monkeypatch)
    message = message_of(GitError, find_checkout, repository / "dist")
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
    message = message_of(GitError, find_checkout, tmp_path)
    assert message.startswith(
        f"{tmp_path}: git cannot open {place}; fix what it reports:\nfatal: not a git repository"
    )


def test_a_bare_repository_is_not_a_checkout(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--bare", "platform.git")
    assert find_checkout(tmp_path / "platform.git" / "dist") is None
    (tmp_path / ".git").write_text("gitdir: platform.git\n", encoding="utf-8")
    message = message_of(GitError, find_checkout, tmp_path / "dist")
    assert message == (f"{tmp_path}: {tmp_path}/.git has no work tree here; run this in a checkout")


def test_a_committed_folder_that_looks_like_a_repository_is_none(repository: Path) -> None:
    trap, ran = repository / "dist", repository / "ran"
    run_git(repository, "init", "--quiet", "--bare", "dist")
    for key, value in {
        "core.bare": "false",
        "core.worktree": str(repository),
        "user.email": "trap@example.com",
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "trap",
        "remote.trap.url": str(repository),
        "remote.trap.promisor": "true",
        "remote.trap.uploadpack": f"touch {ran}; false",
    }.items():
        run_git(trap, "config", key, value)
    refused = "git cannot answer: fatal: cannot use bare repository"
    with pytest.raises(GitError, match=refused):
        Checkout(trap).commit("f" * 40)
    message = message_of(GitError, find_checkout, trap)
    assert message.startswith(
        f"{trap}: git cannot open {repository}/.git; fix what it reports:\n"
        f"fatal: cannot use bare repository '{trap}'"
    )
    assert mail_of_user(trap) != "trap@example.com"
    assert not ran.exists()


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
    assert message_of(GitError, find_checkout, tmp_path) == (
        f"{tmp_path}: GIT_DIR is set, but no .git is in this folder or above; "
        "unset GIT_DIR, or work in a checkout"
    )


@pytest.mark.parametrize("reference", ["mian", "--all", "", "main..main", "origin/HEAD"])
def test_an_unknown_reference_is_none(repository: Path, reference: str) -> None:
    assert Checkout(repository).commit(reference) is None


def test_a_reference_to_a_commit_that_is_not_here_is_refused(repository: Path) -> None:
    reference = "f" * 40
    message = message_of(GitError, Checkout(repository).commit, reference)
    assert message == (f'{repository}: "{reference}" is not a commit that git has here; {REMEDY}')


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
    message = message_of(GitError, Checkout(repository).commit, "main")
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


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "a.yaml").write_bytes(b"a: 1\n")
    commit_all(tmp_path)
    return tmp_path


def test_a_tag_an_expression_and_an_object_name_are_references(committed: Path) -> None:
    run_git(committed, "tag", "--annotate", "v1", "--message", "First")
    name = run_git(committed, "rev-parse", "HEAD")
    for reference in ("v1", "HEAD", "main@{0}", name, name[:8]):
        commit = named_commit(committed, reference)
        assert (commit.reference, commit.object_name) == (reference, name)


def test_an_unknown_reference_names_the_nearest(committed: Path) -> None:
    run_git(committed, "branch", "release-1.0")
    assert message_of(DistError, named_commit, committed / "dist", "relase-1.0") == (
        f'unknown git reference "relase-1.0" in {committed}/dist; '
        "allowed: a branch, tag or commit that is fetched; nearest: release-1.0"
    )


def test_a_tag_with_the_name_of_a_branch_is_not_taken_for_it(committed: Path) -> None:
    run_git(committed, "update-ref", "refs/remotes/origin/main", "main")
    run_git(committed, "tag", "origin/main")
    first = named_commit(committed, "origin/main").object_name
    run_git(committed, "commit", "--allow-empty", "--message", "What is to be hidden")
    run_git(committed, "tag", "--force", "origin/main")
    assert message_of(DistError, named_commit, committed, "origin/main") == (
        f'"origin/main" stands for several commits in {committed}; '
        "allowed: refs/tags/origin/main, refs/remotes/origin/main"
    )
    assert named_commit(committed, "refs/remotes/origin/main").object_name == first


def test_a_reference_outside_of_a_checkout_is_refused(tmp_path: Path) -> None:
    message = message_of(DistError, named_commit, tmp_path, "main")
    assert message == (f'{tmp_path}: not in a git checkout; the git reference "main" needs one')


def test_content_that_is_missing_is_not_taken_for_a_missing_file(committed: Path) -> None:
    object_file(committed, "main:dist/a.yaml").unlink()
    read = named_commit(committed, "main").read
    message = message_of(GitError, read, committed / "dist" / "a.yaml")
    assert message == f"{committed}: git does not have dist/a.yaml of main; {REMEDY}"


def test_a_folder_is_not_a_submodule(committed: Path) -> None:
    assert not named_commit(committed, "main").is_submodule(committed / "dist")
    assert not named_commit(committed / "dist", "main").is_submodule(committed / "dist")
    assert not named_commit(committed, "main").is_submodule(committed / "missing")


def test_a_symbolic_link_is_the_file_that_it_leads_to(committed: Path) -> None:
    (committed / "dist" / "link.yaml").symlink_to("a.yaml")
    commit_all(committed)
    files = {"a.yaml": b"a: 1\n", "link.yaml": b"a: 1\n"}
    assert named_commit(committed, "main").tree(committed / "dist") == files
    assert named_commit(committed / "dist", "main").tree(committed / "dist") == files


@pytest.mark.parametrize("target", ["missing.yaml", "/etc/hostname", "link.yaml", "../dist"])
def test_a_symbolic_link_that_leads_to_no_file_of_the_commit_is_refused(
    committed: Path, target: str
) -> None:
    (committed / "dist" / "link.yaml").symlink_to(target)
    commit_all(committed)
    assert message_of(DistError, named_commit(committed, "main").tree, committed / "dist") == (
        "main:dist/link.yaml: a symbolic link that leads to no file of the commit; "
        "allowed: a file, or a link to one"
    )


@pytest.mark.parametrize(
    ("reference", "branch"),
    [
        ("topic/one", "topic/one"),
        ("refs/heads/topic/one", "topic/one"),
        ("HEAD", "topic/one"),
        ("origin/topic/one", "topic/one"),
        ("origin/HEAD", "topic/one"),
        ("v1", None),
        ("HEAD^{commit}", None),
    ],
)
def test_a_branch_is_known_by_any_name_of_it(
    repository: Path, reference: str, branch: str | None
) -> None:
    remote = "refs/remotes/origin/"
    for arguments in (
        ("checkout", "-b", "topic/one"),
        ("tag", "v1"),
        ("update-ref", f"{remote}topic/one", "HEAD"),
        ("symbolic-ref", f"{remote}HEAD", f"{remote}topic/one"),
    ):
        run_git(repository, *arguments)
    assert named_commit(repository, reference).branch == branch
