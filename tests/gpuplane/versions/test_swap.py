"""Swapping folders of dist/ in whole."""

import errno
import shutil
from pathlib import Path

import pytest

from gpuplane.aside_folder import abandoned
from gpuplane.versions.swap import replace_entries, settled_paths, unfinished
from gpuplane.versions.tree import DistError, read_tree
from tests.gpuplane.messages import message_of


def test_a_folder_holds_just_what_it_is_to_hold(tmp_path: Path) -> None:
    replace_entries(tmp_path, {"a/1.0.0": {"x/old.yaml": b"1", "kept.yaml": b"2"}, "a/root": b"r"})
    replace_entries(tmp_path, {"a/1.0.0": {"x/new.yaml": b"3", "kept.yaml": b"2"}, "b": None})
    assert read_tree(tmp_path) == {
        "a/1.0.0/kept.yaml": b"2",
        "a/1.0.0/x/new.yaml": b"3",
        "a/root": b"r",
    }


def test_nothing_removes_what_stands_there(tmp_path: Path) -> None:
    replace_entries(tmp_path, {"gone": {"x": b"1"}, "stays": {"x": b"1"}})
    replace_entries(tmp_path, {"gone": None})
    assert read_tree(tmp_path) == {"stays/x": b"1"}


def test_what_is_rendered_from_a_file_is_removed_with_it(tmp_path: Path) -> None:
    dist, file = tmp_path / "dist", tmp_path / "gone.yaml"
    file.touch()
    replace_entries(dist, {"gone": {"x": b"1"}, "stays": {"x": b"1"}})
    replace_entries(dist, {"gone": None}, removed_with=(file,))
    assert read_tree(tmp_path) == {"dist/stays/x": b"1"}


class Broken:
    """A disk on which files can be moved to no place of this name."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException) -> None:
        rename = Path.rename

        def rename_or_fail(origin: Path, target: Path) -> Path:
            if target.name == name and "new" in origin.parts:
                raise error
            return rename(origin, target)

        monkeypatch.setattr(Path, "rename", rename_or_fail)


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()], ids=["full", "interrupted"])
def test_a_failing_swap_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    dist, file = tmp_path / "dist", tmp_path / "a.yaml"
    file.touch()
    replace_entries(dist, {"a": {"x": b"1"}, "b": {"x": b"1"}})
    Broken(monkeypatch, "b", error)
    with pytest.raises(type(error)):
        replace_entries(dist, {"a": {"x": b"2"}, "c/1": {"x": b"1"}, "b": {"x": b"2"}}, (file,))
    assert read_tree(tmp_path) == {"a.yaml": b"", "dist/a/x": b"1", "dist/b/x": b"1"}
    assert sorted(path.name for path in dist.iterdir()) == ["a", "b"]


def test_a_disk_that_is_full_is_told_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Broken(monkeypatch, "a", FULL)
    assert message_of(OSError, replace_entries, tmp_path / "dist", {"a": {"x": b"1"}}) == (
        f"{tmp_path}/dist: cannot be written: no space left on device; nothing is changed"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_place_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_entries(tmp_path, {"a": {"x": b"1"}})
    denied = PermissionError(errno.EACCES, "Permission denied", ".synth-x/new/a", None, "dist/a")
    Broken(monkeypatch, "a", denied)
    assert message_of(OSError, replace_entries, tmp_path, {"a": {"x": b"2"}}) == (
        f"{tmp_path}: cannot be written: permission denied (dist/a); nothing is changed"
    )


def test_what_cannot_be_put_back_is_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_entries(tmp_path, {"a": {"x": b"1"}, "b": {"x": b"1"}})
    rename, done = Path.rename, []

    def rename_twice(origin: Path, target: Path) -> Path:
        done.append(target)
        if len(done) > 2:
            raise FULL
        return rename(origin, target)

    monkeypatch.setattr(Path, "rename", rename_twice)
    message = message_of(DistError, replace_entries, tmp_path, {"a": {"x": b"2"}, "b": {"x": b"2"}})
    (staging,) = tmp_path.glob(".synth-*")
    assert message == (f"{tmp_path}: half written; what stood there is in {staging}/old")
    assert read_tree(staging / "old") == {"a/x": b"1"}


def test_a_clean_up_that_fails_leaves_nothing_that_is_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_entries(tmp_path, {"a": {"x": b"1"}})
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    replace_entries(tmp_path, {"a": {"x": b"2"}})
    (left,) = tmp_path.glob(".synth-*")
    assert (unfinished(tmp_path), abandoned(tmp_path)) == ((), (left,))
    assert read_tree(tmp_path / "a") == {"x": b"2"}


def test_what_is_written_aside_does_not_count(tmp_path: Path) -> None:
    replace_entries(tmp_path, {"b": {"x": b"1"}, "a": b"1"})
    (tmp_path / ".synth-killed" / "new").mkdir(parents=True)
    assert settled_paths(tmp_path) == (tmp_path / "a", tmp_path / "b")
    assert settled_paths(tmp_path / "missing") == ()
