"""What may stand in dist/."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpuplane.versions.check import check_dist, check_kinds, check_left_over, rendered_names
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    for name in ("fleet/a.yaml", "east/1.0.0/release.json", "west/1.0.0/release.json", ".DS_Store"):
        file = tmp_path / "dist" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    (tmp_path / "dist" / "empty" / "1.0.0").mkdir(parents=True)
    return tmp_path / "dist"


def test_folders_of_clusters_are_in_order(dist: Path) -> None:
    check_dist(dist)
    check_left_over(dist, Path("clusters"), ("east", "west"))
    assert rendered_names(dist) == ("east", "west")


def test_there_may_be_no_dist(tmp_path: Path) -> None:
    check_dist(tmp_path / "dist")
    check_left_over(tmp_path / "dist", tmp_path / "clusters", ())
    assert rendered_names(tmp_path / "dist") == ()


def test_a_cluster_without_a_file_is_named_with_what_to_do(dist: Path) -> None:
    assert message_of(DistError, check_left_over, dist, Path("clusters"), ("east",)) == (
        f"{dist}/west: clusters/west.yaml is gone, and what it rendered stays; "
        "restore clusters/west.yaml, or ask for both to go: gpuplane remove west"
    )


def test_what_stands_in_the_place_of_a_folder_is_named(dist: Path, tmp_path: Path) -> None:
    (dist / "notes").touch()
    for link in ("linked", "east/1.1.0", "west/1.0.0/linked.yaml"):
        (dist / link).symlink_to(tmp_path)
    message = message_of(DistError, check_dist, dist)
    link = (
        f"is a link to {tmp_path}; allowed: files and folders of their own, since git holds of a "
        "link only where it leads"
    )
    assert message.splitlines() == [
        f"{dist}/east/1.1.0: {link}",
        f"{dist}/linked: {link}",
        f"{dist}/west/1.0.0/linked.yaml: {link}",
        f"{dist}/notes: is a file; allowed: folders of clusters, and fleet; move it",
    ]


def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(
    dist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        if str(path).endswith("west"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    message = message_of(DistError, check_dist, dist)
    assert message == f"{dist}/west: cannot be read: permission denied"


def test_dist_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    assert message_of(DistError, check_dist, tmp_path / "file") == (
        f"{tmp_path}/file: is a file; allowed: a folder, which gpuplane synth makes"
    )
    assert message_of(DistError, check_dist, tmp_path / "link") == (
        f"{tmp_path}/link: is a link to {tmp_path}; allowed: files and folders of their own, "
        "since git holds of a link only where it leads"
    )


def test_a_file_is_no_folder_and_a_folder_no_file(dist: Path) -> None:
    (dist / "east" / "1.1.0").touch()
    (dist / "east" / "project.yaml").mkdir()
    check_kinds(dist, {"east/1.0.0": {}, "east/2.0.0": {}, "east/root.yaml": b"", "fleet": None})
    message = message_of(DistError, check_kinds, dist, {"east/1.1.0": {}, "east/project.yaml": b""})
    assert message == (
        f"{dist}/east/1.1.0: is a file; allowed: the folder of that version; move it\n"
        f"{dist}/east/project.yaml: is a folder; allowed: the file of that name; move it"
    )


def test_what_a_killed_one_has_moved_aside_is_named(dist: Path) -> None:
    (dist / ".synth-a" / "new" / "east").mkdir(parents=True)
    (dist / ".synth-a" / "new" / "east" / "x").touch()
    check_dist(dist)
    (dist / ".synth-b" / "old" / "south").mkdir(parents=True)
    (dist / ".synth-b" / "old" / "south" / "x").touch()
    assert message_of(DistError, check_dist, dist) == (
        f"{dist}/.synth-b/old: what a gpuplane that was killed, or still runs, has taken out of "
        f"{dist}; move it back, or restore {dist} from git and delete {dist}/.synth-b"
    )
