from pathlib import Path

import pytest

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.merge import lay_over
from charts_py.cluster_file.source import Source, read_source


def merged(directory: Path, shared: str, own: str) -> Source:
    for name, text in (("fleet", shared), ("own", own)):
        (directory / name).write_text(text, encoding="utf-8")
    return lay_over(*(read_source(directory / name, name) for name in ("fleet", "own")))


def lines(source: Source) -> dict[FieldPath, str]:
    return {path: str(mark) for path, mark in source.marks.items()}


def test_mappings_are_merged_key_by_key_with_their_lines(tmp_path: Path) -> None:
    source = merged(tmp_path, "a: {x: 1,\n y: 1}\nb: 1\n", "c: 2\na:\n  y: 2\n")
    assert source.content == {"a": {"x": 1, "y": 2}, "b": 1, "c": 2}
    assert lines(source) == {
        (): "own:1",
        ("a",): "own:2",
        ("a", "x"): "fleet:1",
        ("a", "y"): "own:3",
        ("b",): "fleet:3",
        ("c",): "own:1",
    }


def test_a_list_is_replaced_as_a_whole_and_so_are_its_lines(tmp_path: Path) -> None:
    source = merged(tmp_path, "a: [{x: 1, y: 1}, 2]\n", "\na: [{x: 3}]\n")
    assert source.content == {"a": [{"x": 3}]}
    assert lines(source) == {
        (): "own:2",
        ("a",): "own:2",
        ("a", 0): "own:2",
        ("a", 0, "x"): "own:2",
    }


def test_a_mapping_is_replaced_by_what_is_none(tmp_path: Path) -> None:
    source = merged(tmp_path, "a: {x: 1}\n", "a:\n")
    assert (source.content, lines(source)) == ({"a": None}, {(): "own:1", ("a",): "own:1"})


@pytest.mark.parametrize(
    ("shared", "fault"),
    [
        (" x: enforce", "fleet:2: a.x: a single value is given, and a mapping in a cluster"),
        (" x: [1]", "fleet:2: a.x: a list is given, and a mapping in a cluster"),
        (" x:", "fleet:2: a.x: no value is given, and a mapping in a cluster"),
    ],
)
def test_what_the_fleet_shares_does_not_go_unread_below_a_mapping(
    tmp_path: Path, shared: str, fault: str
) -> None:
    source = merged(tmp_path, f"a:\n {shared}\n", "a:\n  x: {y: 1}\n")
    assert [str(each) for each in source.faults] == [f"{fault}; allowed: a mapping"]


def test_faults_of_both_files_are_kept(tmp_path: Path) -> None:
    source = merged(tmp_path, "a: 1\na: 2\n", "b: [")
    assert source.content is None
    assert [str(fault) for fault in source.faults] == [
        "fleet:2: a: duplicate key; first on line 1; allowed: once",
        'own:1:4: invalid YAML: "[" is not closed; allowed: "]"',
    ]
