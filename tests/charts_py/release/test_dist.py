"""Comparing and swapping folders of dist/."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts_py.release.dist import Changes, compare, read_entry, read_tree, replace_entries

_TREES = st.dictionaries(st.sampled_from("abcdef"), st.binary(max_size=2))


@given(_TREES, _TREES)
def test_changes_say_every_path_that_differs_and_no_other(
    old: dict[str, bytes], new: dict[str, bytes]
) -> None:
    changes = compare(old, new)
    assert {*changes.added, *changes.changed, *changes.removed} == {
        path for path in old.keys() | new.keys() if old.get(path) != new.get(path)
    }
    assert bool(changes) == (old != new)


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


def test_what_stands_at_a_path_is_a_folder_a_file_or_nothing(tmp_path: Path) -> None:
    replace_entries(tmp_path, {"folder": {"x": b"1"}, "file": b"2"})
    assert read_entry(tmp_path / "folder") == {"x": b"1"}
    assert read_entry(tmp_path / "file") == b"2"
    assert read_entry(tmp_path / "missing") is None


def test_no_changes_are_false() -> None:
    assert not Changes()
