"""Reading and comparing what stands in dist/."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gpuplane.versions.tree import (
    Changes,
    DistError,
    compare,
    compare_entries,
    holds_files,
    read_entry,
    unknown,
    write_entry,
)

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


def test_what_stands_at_a_path_is_a_folder_a_file_or_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").write_bytes(b"1")
    (tmp_path / "file").write_bytes(b"2")
    assert read_entry(tmp_path / "folder") == {"x": b"1"}
    assert read_entry(tmp_path / "file") == b"2"
    assert read_entry(tmp_path / "missing") is None


@pytest.mark.parametrize("name", ["a/../../outside", "../outside", "/outside"])
def test_no_file_is_written_outside_of_its_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    with pytest.raises(DistError) as refused:
        write_entry(folder, {name: b"1"})
    assert str(refused.value) == f"{folder}: {name} leads out of it; allowed: files in it"
    assert read_entry(tmp_path) == {}


def test_folders_without_files_hold_none(tmp_path: Path) -> None:
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    assert not holds_files(tmp_path)
    (tmp_path / "outer" / "inner" / "x").touch()
    assert holds_files(tmp_path)


def test_no_changes_are_false() -> None:
    assert not Changes()


def test_the_files_of_entries_are_compared_sequentially() -> None:
    old = {"lab/1.0.0": {"a/kept": b"1", "a/gone": b"1"}, "lab/project.yaml": b"1", "none": None}
    new = {"lab/1.0.0": {"a/kept": b"1", "a/new": b"1"}, "lab/project.yaml": b"2", "none": None}
    assert compare_entries(old, new) == Changes(
        added=("lab/1.0.0/a/new",), changed=("lab/project.yaml",), removed=("lab/1.0.0/a/gone",)
    )


@pytest.mark.parametrize(
    ("name", "allowed", "place", "message"),
    [
        ("traning", ["training"], None, "allowed: training; nearest: training"),
        ("x", ["training", "mixed"], None, "allowed: training, mixed"),
        ("x", [], None, "allowed: none"),
    ],
)
def test_an_unknown_name_comes_with_what_is_allowed(
    name: str, allowed: list[str], place: Path | None, message: str
) -> None:
    assert str(unknown("cluster", name, allowed, place)) == f'unknown cluster "{name}"; {message}'


def test_the_place_is_named_where_it_matters() -> None:
    error = unknown("version", "1", ["2"], Path("dist/training"))
    assert str(error) == 'unknown version "1" in dist/training; allowed: 2'
