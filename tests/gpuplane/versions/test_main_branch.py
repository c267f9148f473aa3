"""What the main branch holds of dist/."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gpuplane.versions.git import REMEDY, GitError
from gpuplane.versions.main_branch import Live, MainBranch, check_live_are_here, find_live
from gpuplane.versions.record import RECORD_FILE
from gpuplane.versions.swap import replace_entries
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import (
    Repository,
    commit_all,
    distrust_checkouts,
    object_file,
    run_git,
)
from tests.gpuplane.versions.rendered_versions import RECORD

RELEASED = replace(RECORD, spec_digest="abc", files={"teams/Namespace.a.yaml": "123"})


@pytest.fixture
def released(tmp_path: Path) -> Path:
    entries = {f"training/1.0.0/{RECORD_FILE}": RELEASED.to_json()}
    replace_entries(tmp_path / "dist", dict(entries))
    commit_all(tmp_path)
    return tmp_path


@pytest.fixture
def clone(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clone")
    run_git(folder, "clone", str(released), ".")
    return folder


def test_a_committed_version_is_released(released: Path) -> None:
    main_branch = MainBranch(released / "dist")
    assert main_branch.record("training", "1.0.0") == RELEASED
    assert main_branch.reference == "main"


def test_a_version_that_is_only_in_the_work_tree_is_not_released(released: Path) -> None:
    replace_entries(released / "dist", {f"training/1.1.0/{RECORD_FILE}": RELEASED.to_json()})
    assert MainBranch(released / "dist").record("training", "1.1.0") is None


def test_another_branch_is_not_the_main_branch(released: Path) -> None:
    run_git(released, "checkout", "-b", "proposal")
    replace_entries(released / "dist", {f"training/1.1.0/{RECORD_FILE}": RELEASED.to_json()})
    run_git(released, "add", ".")
    run_git(released, "commit", "-m", "Propose")
    assert MainBranch(released / "dist").record("training", "1.1.0") is None
    assert MainBranch(released / "dist", "proposal").record("training", "1.1.0") == RELEASED


def test_the_branch_of_the_origin_comes_before_the_local_one(clone: Path) -> None:
    assert MainBranch(clone / "dist").reference == "origin/HEAD"


@pytest.mark.parametrize(
    ("command", "name"),
    [("branch", "origin/HEAD"), ("branch", "origin/main"), ("tag", "origin/main"), ("tag", "main")],
)
def test_a_branch_or_tag_that_has_the_name_of_the_main_branch_is_not_it(
    clone: Path, command: str, name: str
) -> None:
    run_git(clone, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    run_git(clone, "rm", "-r", "--quiet", "dist")
    run_git(clone, "commit", "-m", "Delete dist")
    run_git(clone, command, name)
    assert MainBranch(clone / "dist").record("training", "1.0.0") == RELEASED


def test_a_replaced_commit_is_read_as_it_was(released: Path) -> None:
    run_git(released, "checkout", "--orphan", "empty")
    run_git(released, "commit", "--allow-empty", "-m", "Nothing")
    run_git(released, "rm", "-r", "--cached", "--quiet", "dist")
    run_git(released, "commit", "-m", "Empty")
    run_git(released, "replace", "main", "empty")
    assert MainBranch(released / "dist").record("training", "1.0.0") == RELEASED


def test_what_is_released_stays_released_without_dist(released: Path) -> None:
    shutil.rmtree(released / "dist")
    assert MainBranch(released / "dist").record("training", "1.0.0") == RELEASED


def test_a_branch_of_the_origin_that_is_gone_is_passed_over(clone: Path) -> None:
    run_git(clone, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    assert MainBranch(clone / "dist").reference == "origin/main"


def test_a_shallow_clone_of_another_branch_lacks_the_main_branch(
    released: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run_git(released, "branch", "proposal")
    clone = tmp_path_factory.mktemp("clone")
    origin = released.as_uri()
    run_git(clone, "clone", "--depth", "1", "--branch", "proposal", origin, ".")
    main_branch = MainBranch(clone / "dist")
    assert (main_branch.record("training", "1.0.0"), main_branch.is_missing) == (None, True)
    run_git(clone, "fetch", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    main_branch = MainBranch(clone / "dist")
    assert (main_branch.record("training", "1.0.0"), main_branch.is_missing) == (RELEASED, False)


def test_before_the_first_commit_nothing_is_released(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--initial-branch", "main")
    main_branch = MainBranch(tmp_path / "dist")
    assert (main_branch.record("training", "1.0.0"), main_branch.is_missing) == (None, False)


def test_outside_of_a_checkout_nothing_is_released(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    for dist in (tmp_path / "dist", tmp_path / "missing"):
        main_branch = MainBranch(dist)
        assert (main_branch.record("training", "1.0.0"), main_branch.is_missing) == (None, False)


def test_a_named_reference_that_git_does_not_know_is_refused(released: Path) -> None:
    assert message_of(DistError, MainBranch, released / "dist", "origin/mian") == (
        f'unknown git reference "origin/mian" in {released}/dist; '
        "allowed: a branch, tag or commit that is fetched"
    )


def test_another_file_in_place_of_a_record_is_named(released: Path) -> None:
    file = released / "dist" / "training" / "1.0.0" / RECORD_FILE
    file.write_text("{}", encoding="utf-8")
    commit_all(released)
    message = message_of(DistError, MainBranch(released / "dist").record, "training", "1.0.0")
    assert message == f"{file} of main: not a release record: cluster is missing"


@pytest.mark.parametrize("removed", [False, True], ids=["empty", "removed"])
def test_a_dist_that_is_a_submodule_has_to_be_checked_out(
    released: Path, tmp_path_factory: pytest.TempPathFactory, removed: bool
) -> None:
    platform = tmp_path_factory.mktemp("platform")
    run_git(platform, "init", "--initial-branch", "main")
    allowed = ("-c", "protocol.file.allow=always")
    run_git(platform, *allowed, "submodule", "add", str(released), "dist")
    commit_all(platform)
    # The submodule has a main branch of its own.
    checked_out = MainBranch(platform / "dist" / "dist")
    assert checked_out.record("training", "1.0.0") == RELEASED
    run_git(platform, "submodule", "deinit", "dist")
    if removed:
        (platform / "dist").rmdir()
    assert message_of(DistError, MainBranch(platform / "dist").record, "training", "1.0.0") == (
        f"{platform}/dist: a submodule that is not checked out; run git submodule update --init"
    )


@pytest.mark.parametrize("name", ["main", "main:dist", f"main:dist/training/1.0.0/{RECORD_FILE}"])
@pytest.mark.parametrize("content", [b"", None], ids=["damaged", "missing"])
def test_what_git_cannot_read_is_not_taken_for_unreleased(
    released: Path, name: str, content: bytes | None
) -> None:
    file = object_file(released, name)
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(GitError):
        MainBranch(released / "dist").record("training", "1.0.0")


def test_what_git_refuses_to_read_is_not_taken_for_unreleased(
    released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distrust_checkouts(monkeypatch)
    with pytest.raises(GitError):
        MainBranch(released / "dist").record("training", "1.0.0")


def test_a_reference_that_is_damaged_is_not_taken_for_a_missing_branch(released: Path) -> None:
    (released / ".git" / "refs" / "heads" / "main").write_bytes(b"")
    with pytest.raises(GitError) as refused:
        _ = MainBranch(released / "dist").is_missing
    assert str(refused.value) == (
        f"{released}/dist: git cannot answer: fatal: bad object refs/heads/main; {REMEDY}"
    )


APPLICATION = "spec:\n  source:\n    path: dist/lab/{}/argocd\n"


def _write(repository: Repository, version: str | None = "1.0.0") -> None:
    file = repository.dist / "lab" / "live-application.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    (file.parent / "project.yaml").touch()
    if version is None:
        file.unlink()
    else:
        file.write_text(APPLICATION.format(version), encoding="utf-8")


def _live(repository: Repository) -> Live | None:
    return find_live(repository.dist, "lab", MainBranch(repository.dist))


@pytest.mark.parametrize("here", ["1.1.0", None])
def test_what_the_main_branch_says_is_live_whatever_is_here(
    repository: Repository, here: str | None
) -> None:
    _write(repository)
    repository.commit()
    _write(repository, here)
    assert _live(repository) == Live("1.0.0", "main")


def test_the_version_is_found_where_the_platform_is_a_folder_of_its_repository(
    repository: Repository,
) -> None:
    file = repository.dist / "lab" / "live-application.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(APPLICATION.replace("dist", "platform/gpus/dist").format("1.0.0"), "utf-8")
    repository.commit()
    assert _live(repository) == Live("1.0.0", "main")


def test_nothing_is_live_that_is_not_on_the_main_branch(repository: Repository) -> None:
    _write(repository)
    assert _live(repository) is None
    _write(repository, None)
    repository.commit()
    _write(repository)
    assert _live(repository) is None


def test_without_a_main_branch_the_disk_says_what_is_live(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _write(repository)
    repository.git("checkout", "-b", "feature")
    repository.commit()
    file = repository.dist / "lab" / "live-application.yaml"
    assert _live(repository) == Live("1.0.0", str(file))
    elsewhere = Repository(tmp_path_factory.mktemp("elsewhere"))
    assert _live(elsewhere) is None
    _write(elsewhere)
    file = elsewhere.dist / "lab" / "live-application.yaml"
    assert _live(elsewhere) == Live("1.0.0", str(file))


def test_a_live_application_that_was_edited_is_live(repository: Repository) -> None:
    file = repository.dist / "lab" / "live-application.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("path: elsewhere\n", encoding="utf-8")
    repository.commit()
    assert _live(repository) == Live("a version", "main")


def test_a_live_cluster_that_is_not_here_any_more_is_named(repository: Repository) -> None:
    _write(repository)
    repository.commit()
    main_branch = MainBranch(repository.dist)
    check_live_are_here(repository.dist, ("lab",), main_branch)
    assert message_of(DistError, check_live_are_here, repository.dist, ("other",), main_branch) == (
        f"{repository.dist}/lab: gone, with the file of the cluster, while 1.0.0 is live (main); "
        "restore both from git; gpuplane remove lab then says how it is removed"
    )


def test_a_cluster_that_went_live_since_need_not_be_here(repository: Repository) -> None:
    repository.git("commit", "--allow-empty", "--message", "Left")
    repository.git("checkout", "-b", "change")
    repository.git("commit", "--allow-empty", "--message", "Change")
    repository.git("checkout", "main")
    _write(repository)
    repository.commit()
    repository.git("checkout", "change")
    check_live_are_here(repository.dist, (), MainBranch(repository.dist))


def test_what_is_live_no_more_need_not_be_here(repository: Repository) -> None:
    _write(repository)
    _write(repository, None)
    repository.commit()
    check_live_are_here(repository.dist, (), MainBranch(repository.dist))


def test_the_folder_is_that_of_the_rendered_application(repository: Repository) -> None:
    repository.release()
    assert _live(repository) == Live("1.0.0", "main")
