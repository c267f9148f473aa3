from collections.abc import Callable
from pathlib import Path

import pytest

from charts_py.cluster_file import yaml_stop
from charts_py.cluster_file.fault import FieldPath, Mark
from charts_py.cluster_file.source import Source, lay_over, read_source
from charts_py.cluster_file.yaml_reader import MAX_CHARACTERS, MAX_DEPTH, MAX_VALUES
from tests.rows import rows_beside

each_row = rows_beside(__file__, "source.yaml")

KEY = "allowed: quotes around it; templates ({{ }}) are not filled in"
BILLIONS = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
)
LONG = MAX_CHARACTERS // 1000
MERGED_BILLIONS = "\n".join(
    ["a0: &a0 {k: v}"]
    + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 4)}]}}" for n in range(1, 30)]
)


@pytest.fixture
def read(tmp_path: Path) -> Callable[[bytes | str], Source]:
    def read(text: bytes | str) -> Source:
        file = tmp_path / "cluster.yaml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_source(file, "cluster.yaml")

    return read


def test_every_value_has_the_line_of_its_key(read: Callable[[str], Source]) -> None:
    source = read("# first\na: 1\nb:\n  - x\n  - c: {d: 2}\n")
    assert source.content == {"a": 1, "b": ["x", {"c": {"d": 2}}]}
    assert source.marks == {
        (): Mark("cluster.yaml", 2),
        ("a",): Mark("cluster.yaml", 2),
        ("b",): Mark("cluster.yaml", 3),
        ("b", 0): Mark("cluster.yaml", 4),
        ("b", 1): Mark("cluster.yaml", 5),
        ("b", 1, "c"): Mark("cluster.yaml", 5),
        ("b", 1, "c", "d"): Mark("cluster.yaml", 5),
    }


@each_row("scalars")
def test_scalars_mean_what_the_core_schema_of_yaml_1_2_defines(
    read: Callable[[str], Source], text: str, value: object
) -> None:
    assert read(f"a: {text}").content == {"a": value}


def test_a_byte_order_mark_and_windows_line_ends_are_read(read: Callable[[bytes], Source]) -> None:
    source = read(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert (source.content, source.marks["b",]) == ({"a": 1, "b": 2}, Mark("cluster.yaml", 2))


def test_an_anchor_is_read_in_each_place_on_its_own_lines(read: Callable[[str], Source]) -> None:
    source = read("a: &a\n  x: 1\nb: *a\n")
    assert source.content == {"a": {"x": 1}, "b": {"x": 1}}
    assert source.marks["b", "x"] == Mark("cluster.yaml", 2)


def test_own_keys_override_merged_ones_and_earlier_merges_override_later(
    read: Callable[[str], Source],
) -> None:
    source = read("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 3\n")
    assert source.content is not None
    assert source.content["c"] == {"x": 3, "y": 1, "z": 2}
    assert source.faults == ()
    assert source.marks["c", "z"] == Mark("cluster.yaml", 2)


def test_a_duplicate_key_is_a_fault_and_the_first_counts(read: Callable[[str], Source]) -> None:
    source = read("pools:\n  h100: 1\n  h100: 2\n  h100: 3\n")
    assert source.content == {"pools": {"h100": 1}}
    assert [str(fault) for fault in source.faults] == [
        "cluster.yaml:3: pools.h100: duplicate key; first on line 2; allowed: once",
        "cluster.yaml:4: pools.h100: duplicate key; first on line 2; allowed: once",
    ]


@pytest.mark.parametrize("text", ["", "# a comment\n", "---\n", "{}", "null"])
def test_a_file_without_a_field_is_empty(read: Callable[[str], Source], text: str) -> None:
    assert (read(text).content, read(text).faults) == ({}, ())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: [", '1:4: invalid YAML: "[" is not closed; allowed: "]"'),
        (b"\xff\xfea\x00", "1: the file is UTF-16; allowed: the file saved as UTF-8"),
        ("\n- a\n", "2: the file is not a mapping; allowed: fields with values"),
        ("text", "1: the file is not a mapping; allowed: fields with values"),
        ("a: 1\n? [b]\n: 2\n", f"2: a key that is not a string; {KEY}"),
        (
            "a: 1\nb:\n  <<: 5\n",
            "3: << merges what is no mapping; allowed: an alias of one, or a list of them",
        ),
        ("a: 1\nb: &b [*b]\n", f"2: nested deeper than {MAX_DEPTH} levels"),
        ("a: &a\n  b: *a\n", f"1: nested deeper than {MAX_DEPTH} levels"),
        ("a: &a\n  <<: *a\n", f"1: merged deeper than {MAX_DEPTH} levels"),
        (f"a: {'[' * 200_000}", f"1: nested deeper than {yaml_stop.MAX_DEPTH} levels"),
        (BILLIONS, f"1: more than {MAX_VALUES} values"),
        (f"a: &a {'b' * LONG}\nc: [{'*a, ' * 1000}]", f"1: more than {MAX_CHARACTERS} characters"),
        (
            f"a: &a {'b' * LONG}\nc: [{'*a : 1, ' * 1000}]",
            f"1: more than {MAX_CHARACTERS} characters",
        ),
        (MERGED_BILLIONS, f"1: more than {MAX_VALUES} values"),
        (MERGED_BILLIONS.replace("{k: v}", "{}"), f"1: more than {MAX_VALUES} values"),
    ],
)
def test_what_cannot_be_read_is_the_files_one_fault(
    read: Callable[[bytes | str], Source], text: bytes | str, fault: str
) -> None:
    source = read(text)
    assert source.content is None
    assert [str(fault) for fault in source.faults] == [f"cluster.yaml:{fault}"]


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("!!int seven", '"seven" is not a valid !!int'),
        ("1e999", '"1e999" is not a valid !!float'),
        ("9" * 5000, '"99999999999999999999" is not a valid !!int'),
    ],
    ids=["no number", "a decimal that is too large", "an integer that is too large"],
)
def test_a_value_that_its_tag_does_not_allow_is_told_with_its_field(
    read: Callable[[bytes | str], Source], value: str, fault: str
) -> None:
    source = read(f"a:\n  b: {value}\n")
    assert [str(each) for each in source.faults] == [f"cluster.yaml:2: a.b: {fault}"]


def test_text_has_tabs_line_breaks_and_characters_of_any_language(
    read: Callable[[str], Source],
) -> None:
    source = read('a: "é\\t\\r\\n漢字 👩‍🔬"\n')
    assert (source.content, source.faults) == ({"a": "é\t\r\n漢字 👩‍🔬"}, ())


def test_a_name_is_what_it_looks_like(read: Callable[[str], Source]) -> None:
    (fault,) = read('a:\n  "b\\u2066c": 1\n').faults
    assert str(fault) == (
        'cluster.yaml:2: a."b\\u2066c": "b\\u2066c" has the character U+2066, which nobody sees; '
        "allowed: printable characters, tabs and line breaks"
    )


def test_a_key_has_no_character_that_looks_like_indentation(read: Callable[[str], Source]) -> None:
    (fault,) = read("a:\n  \u00a0b: 1\n").faults
    assert str(fault) == (
        'cluster.yaml:2: a."\\u00a0b": the key has the character U+00A0; allowed: letters, digits '
        "and signs"
    )


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("a: !b {c: 1}", "!b"),
        ("a: !!python/object/apply:os.system [ls]", "!!python/object/apply:os.system"),
        ("a: !!set {b, c}", "!!set"),
    ],
)
def test_a_tag_makes_nothing_else_of_a_mapping_or_a_list(
    read: Callable[[str], Source], text: str, tag: str
) -> None:
    (fault,) = read(text).faults
    assert str(fault) == f"cluster.yaml:1: a: the tag {tag} has no meaning here; allowed: no tag"


@pytest.mark.parametrize("text", ["!!map {a: !!seq [b]}", "a: ! [b]"])
def test_tags_that_name_what_is_there_are_read(read: Callable[[str], Source], text: str) -> None:
    assert (read(text).content, read(text).faults) == ({"a": ["b"]}, ())


def test_a_number_keeps_its_zero_or_is_a_fault(read: Callable[[str], Source]) -> None:
    (fault,) = read("a: 0300\n").faults
    assert str(fault) == (
        "cluster.yaml:1: a: 0300 begins with a zero, which some readers of YAML take for octal; "
        'allowed: 300 as a number, "0300" in quotes as text'
    )


def test_every_number_is_kept_as_it_is_written(read: Callable[[str], Source]) -> None:
    source = read("a: 1.30\nb: [0x1F, true, 'x', 7]\n")
    assert source.content == {"a": 1.3, "b": [31, True, "x", 7]}
    assert source.numbers == {("a",): "1.30", ("b", 0): "0x1F", ("b", 3): "7"}


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
