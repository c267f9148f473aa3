"""What a commit holds; that it reads as the disk does stands in diff/test_snapshot.py."""

from pathlib import Path

import pytest

from gpuplane.versions.commit import named_commit
from gpuplane.versions.dist_error import DistError
from gpuplane.versions.git import REMEDY, GitError
from tests.gpuplane.versions.conftest import commit_all, object_file, run_git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "a.yaml").write_bytes(b"a: 1\n")
    commit_all(tmp_path)
    return tmp_path


def test_a_tag_an_expression_and_an_object_name_are_references(repository: Path) -> None:
    run_git(repository, "tag", "--annotate", "v1", "--message", "First")
    name = run_git(repository, "rev-parse", "HEAD")
    for reference in ("v1", "HEAD", "main@{0}", name, name[:8]):
        commit = named_commit(repository, reference)
        assert (commit.reference, commit.object_name) == (reference, name)


def test_an_unknown_reference_names_the_nearest(repository: Path) -> None:
    run_git(repository, "branch", "release-1.0")
    with pytest.raises(DistError) as refused:
        named_commit(repository / "dist", "relase-1.0")
    assert str(refused.value) == (
        f'unknown git reference "relase-1.0" in {repository}/dist; '
        "allowed: a branch, tag or commit that is fetched; nearest: release-1.0"
    )


def test_a_tag_with_the_name_of_a_branch_is_not_taken_for_it(repository: Path) -> None:
    run_git(repository, "update-ref", "refs/remotes/origin/main", "main")
    run_git(repository, "tag", "origin/main")
    first = named_commit(repository, "origin/main").object_name
    run_git(repository, "commit", "--allow-empty", "--message", "What is to be hidden")
    run_git(repository, "tag", "--force", "origin/main")
    with pytest.raises(DistError) as refused:
        named_commit(repository, "origin/main")
    assert str(refused.value) == (
        f'"origin/main" stands for several commits in {repository}; '
        "allowed: refs/tags/origin/main, refs/remotes/origin/main"
    )
    assert named_commit(repository, "refs/remotes/origin/main").object_name == first


def test_a_reference_outside_of_a_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DistError) as refused:
        named_commit(tmp_path, "main")
    assert str(refused.value) == (
        f'{tmp_path}: not in a git checkout; the git reference "main" needs one'
    )


def test_content_that_is_missing_is_not_taken_for_a_missing_file(repository: Path) -> None:
    object_file(repository, "main:dist/a.yaml").unlink()
    with pytest.raises(GitError) as refused:
        named_commit(repository, "main").read(repository / "dist" / "a.yaml")
    assert str(refused.value) == (f"{repository}: git does not have dist/a.yaml of main; {REMEDY}")


def test_a_folder_is_not_a_submodule(repository: Path) -> None:
    assert not named_commit(repository, "main").is_submodule(repository / "dist")
    assert not named_commit(repository / "dist", "main").is_submodule(repository / "dist")
    assert not named_commit(repository, "main").is_submodule(repository / "missing")


def test_a_symbolic_link_is_the_file_that_it_leads_to(repository: Path) -> None:
    (repository / "dist" / "link.yaml").symlink_to("a.yaml")
    commit_all(repository)
    files = {"a.yaml": b"a: 1\n", "link.yaml": b"a: 1\n"}
    assert named_commit(repository, "main").tree(repository / "dist") == files
    assert named_commit(repository / "dist", "main").tree(repository / "dist") == files


@pytest.mark.parametrize("target", ["missing.yaml", "/etc/hostname", "link.yaml", "../dist"])
def test_a_symbolic_link_that_leads_to_no_file_of_the_commit_is_refused(
    repository: Path, target: str
) -> None:
    (repository / "dist" / "link.yaml").symlink_to(target)
    commit_all(repository)
    with pytest.raises(DistError) as refused:
        named_commit(repository, "main").tree(repository / "dist")
    assert str(refused.value) == (
        "main:dist/link.yaml: a symbolic link that leads to no file of the commit; "
        "allowed: a file, or a link to one"
    )
