"""Swapping folders of dist/ in whole."""

from pathlib import Path

import pytest

from charts_py.release.dist import read_tree
from charts_py.release.dist_swap import replace_entries, settled_paths


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


def test_a_failing_swap_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_entries(tmp_path, {"a": {"x": b"1"}, "b": {"x": b"1"}})
    rename = Path.rename

    def rename_until_the_disk_is_full(self: Path, target: Path) -> Path:
        if target == tmp_path / "b" and "new" in self.parts:
            raise OSError("disk full")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", rename_until_the_disk_is_full)
    with pytest.raises(OSError, match="disk full"):
        replace_entries(tmp_path, {"a": {"x": b"2"}, "b": {"x": b"2"}})
    assert read_tree(tmp_path) == {"a/x": b"1", "b/x": b"1"}


def test_what_is_written_aside_does_not_count(tmp_path: Path) -> None:
    replace_entries(tmp_path, {"b": {"x": b"1"}, "a": b"1"})
    (tmp_path / ".synth-killed" / "new").mkdir(parents=True)
    assert settled_paths(tmp_path) == (tmp_path / "a", tmp_path / "b")
    assert settled_paths(tmp_path / "missing") == ()
