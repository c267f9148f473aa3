"""The disk and a commit, read alike."""

from pathlib import Path

import pytest

from gpuplane.versions.commit import named_commit
from gpuplane.versions.snapshot import Snapshot, WorkTree
from tests.gpuplane.versions.conftest import commit_all

FILES = {
    "dist/sample/1.0.0/a/x.yaml": b"x: 1\n",
    "dist/sample/1.0.0/b/name with spaces.yaml": "ä: 2\n".encode(),
    "dist/sample/1.1.0/a/empty.yaml": b"",
    "dist/sample/root.yaml": b"no line break",
}


@pytest.fixture(params=["disk", "commit", "commit seen from a folder of the checkout"])
def snapshot(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Snapshot, Path]:
    """Return a snapshot of the files, and the platform repository in it."""
    platform = tmp_path / "platform" if "folder" in request.param else tmp_path
    for path, content in FILES.items():
        (platform / path).parent.mkdir(parents=True, exist_ok=True)
        (platform / path).write_bytes(content)
    if request.param == "disk":
        return WorkTree(), platform
    commit_all(tmp_path)
    (platform / "dist/sample/root.yaml").write_bytes(b"another")
    (platform / "dist/sample/1.2.0").mkdir()
    return named_commit(platform, "HEAD"), platform


def test_a_file_is_read(snapshot: tuple[Snapshot, Path]) -> None:
    files, platform = snapshot
    assert files.read(platform / "dist/sample/root.yaml") == b"no line break"
    assert files.read(platform / "dist/sample/missing.yaml") is None
    assert files.read(platform / "dist/sample") is None


def test_a_tree_has_every_file_below(snapshot: tuple[Snapshot, Path]) -> None:
    files, platform = snapshot
    assert files.tree(platform / "dist") == {
        path.removeprefix("dist/"): content for path, content in FILES.items()
    }
    assert files.tree(platform / "dist" / "missing") == {}


def test_folders_are_listed_without_files(snapshot: tuple[Snapshot, Path]) -> None:
    files, platform = snapshot
    assert files.folders(platform / "dist" / "sample") == ("1.0.0", "1.1.0")
    assert files.folders(platform / "dist" / "missing") == ()
