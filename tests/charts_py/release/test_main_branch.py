"""What the main branch holds of dist/."""

import subprocess
from pathlib import Path

import pytest

from charts_py.release.dist import replace_entries
from charts_py.release.main_branch import MainBranch
from charts_py.release.release_record import RECORD_FILE, ReleaseRecord

RECORD = ReleaseRecord(
    cluster="training",
    version="1.0.0",
    kubernetes="1.35",
    tool_version="0.1.0",
    spec_digest="abc",
    charts=(),
    crds=(),
    permissions=None,
    files={"teams/Namespace.a.yaml": "123"},
)


def _git(directory: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "-b", "main")
    entries = {f"training/1.0.0/{RECORD_FILE}": RECORD.to_json()}
    replace_entries(tmp_path / "dist", dict(entries))
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-m", "Release")
    return tmp_path


def test_a_committed_version_is_released(repository: Path) -> None:
    main_branch = MainBranch(repository / "dist")
    assert main_branch.record("training", "1.0.0") == RECORD
    assert main_branch.reference == "main"


def test_a_version_that_is_only_in_the_work_tree_is_not_released(repository: Path) -> None:
    replace_entries(repository / "dist", {f"training/1.1.0/{RECORD_FILE}": RECORD.to_json()})
    assert MainBranch(repository / "dist").record("training", "1.1.0") is None


def test_another_branch_is_not_the_main_branch(repository: Path) -> None:
    _git(repository, "checkout", "-b", "proposal")
    replace_entries(repository / "dist", {f"training/1.1.0/{RECORD_FILE}": RECORD.to_json()})
    _git(repository, "add", ".")
    _git(repository, "commit", "-m", "Propose")
    assert MainBranch(repository / "dist").record("training", "1.1.0") is None
    assert MainBranch(repository / "dist", "proposal").record("training", "1.1.0") == RECORD


def test_the_branch_of_the_origin_comes_before_the_local_one(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    clone = tmp_path_factory.mktemp("clone")
    _git(clone, "clone", str(repository), ".")
    assert MainBranch(clone / "dist").reference == "origin/HEAD"


def test_outside_of_a_checkout_nothing_is_released(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    assert MainBranch(tmp_path / "dist").record("training", "1.0.0") is None
    assert MainBranch(tmp_path / "missing").record("training", "1.0.0") is None
