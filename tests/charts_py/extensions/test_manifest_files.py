import os
from pathlib import Path

import pytest

from charts_py.cluster_file.yaml_stop import MAX_DEPTH
from charts_py.extensions.manifest_files import (
    Manifest,
    ManifestFault,
    read_manifests,
    read_mapping,
)
from charts_py.extensions.manifest_values import MAX_VALUES
from tests.rows import rows_beside

each_row = rows_beside(__file__, "manifest_files.yaml")


def _documents(folder: Path) -> list[object]:
    found = list(read_manifests(folder, folder))
    assert all(isinstance(read, Manifest) for read in found), found
    return [read.document for read in found if isinstance(read, Manifest)]


def _faults(folder: Path) -> list[str]:
    found = [read for read in read_manifests(folder, folder) if isinstance(read, ManifestFault)]
    return [str(fault).replace(f"{folder}/", "") for fault in found]


def test_objects_come_from_every_yaml_file_in_the_order_of_paths(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for path, name in (("c.yaml", "third"), ("a.yml", "first"), ("b/x.yaml", "second")):
        text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n"
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text("not: yaml", encoding="utf-8")
    names = [document["metadata"]["name"] for document in _documents(tmp_path)]  # type: ignore[index] # an object
    assert names == ["first", "second", "third"]


def test_an_object_keeps_every_field_and_dates_stay_text(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "---\n"
        "# only a comment\n"
        "---\n"
        "apiVersion: example.com/v1\n"
        "kind: Widget\n"
        "metadata: {name: a, annotations: {since: 2026-01-31}}\n"
        "anything: {at: [1, 2.5, true, null, ~]}\n",
        encoding="utf-8",
    )
    assert _documents(tmp_path) == [
        {
            "apiVersion": "example.com/v1",
            "kind": "Widget",
            "metadata": {"name": "a", "annotations": {"since": "2026-01-31"}},
            "anything": {"at": [1, 2.5, True, None, None]},
        }
    ]


def test_a_list_is_unrolled(tmp_path: Path) -> None:
    item = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}"
    (tmp_path / "a.yaml").write_text(
        f"apiVersion: v1\nkind: List\nitems: [{item % 'a'}, {item % 'b'}]\n", encoding="utf-8"
    )
    assert _documents(tmp_path) == [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}} for name in "ab"
    ]


def test_an_object_with_a_name_is_not_a_list_though_its_kind_ends_like_one(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "{apiVersion: example.com/v1, kind: AllowList, metadata: {name: a}, items: [b]}",
        encoding="utf-8",
    )
    assert _documents(tmp_path) == [
        {
            "apiVersion": "example.com/v1",
            "kind": "AllowList",
            "metadata": {"name": "a"},
            "items": ["b"],
        }
    ]


@each_row("wrong")
def test_a_wrong_document_is_named_with_file_line_and_number(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    assert _faults(tmp_path) == expected


def test_what_is_no_file_of_the_repository_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path.joinpath("folder")
    folder.joinpath("f.yaml").mkdir(parents=True)
    outside = tmp_path.joinpath("outside.yaml")
    outside.write_text("apiVersion: v1", encoding="utf-8")
    os.mkfifo(folder.joinpath("d.yaml"))
    for name, target in {
        "a.yaml": "/dev/zero",
        "b.yaml": str(outside),
        "c.yaml": "none.yaml",
        "e.yaml": "kept.txt",
    }.items():
        folder.joinpath(name).symlink_to(target)
    folder.joinpath("kept.txt").write_text("", encoding="utf-8")
    allowed = "allowed: a link to what is in the repository"
    assert _faults(folder) == [
        f"a.yaml:1: is a link to /dev/zero, which is outside of the repository; {allowed}",
        f"b.yaml:1: is a link to {outside}, which is outside of the repository; {allowed}",
        f"c.yaml:1: is a link to none.yaml, where nothing is; {allowed}",
        "d.yaml:1: is not a regular file; allowed: a file of YAML",
        "f.yaml:1: is not a regular file; allowed: a file of YAML",
    ]


OBJECT = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}"
TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


@pytest.mark.parametrize(
    ("field", "line"),
    [
        (f"a: {'[' * (MAX_DEPTH - 1)}1{']' * (MAX_DEPTH - 1)}", None),
        (f"\na: {'[' * MAX_DEPTH}1{']' * MAX_DEPTH}", 4),
        (f"\na: {'[' * 300_000}", 4),
        ("a: &a\n  {b: *a}", 3),
    ],
    ids=["deepest", "deeper", "far deeper", "without end"],
)
def test_nesting_is_bounded(tmp_path: Path, field: str, line: int | None) -> None:
    (tmp_path / "a.yaml").write_text(f"{OBJECT % 'a'}}}\n---\n{OBJECT % 'b'}, {field}}}")
    faults = [] if line is None else [f"a.yaml:{line}: document 2: {TOO_DEEP}"]
    assert _faults(tmp_path) == faults


def test_anchors_of_anchors_do_not_take_all_memory(tmp_path: Path) -> None:
    levels = [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 10)}]" for n in range(1, 9)]
    anchors = "\n".join(["x0: &x0 [lol]", *levels])
    (tmp_path / "a.yaml").write_text(anchors, encoding="utf-8")
    assert _faults(tmp_path) == [f"a.yaml:1: document 1: more than {MAX_VALUES} values"]


def test_the_values_of_all_documents_are_bounded_together(tmp_path: Path) -> None:
    repeated = ", ".join(["*a"] * 1000)
    document = f"a: &a [{', '.join('1' * 400)}]\nb: [{repeated}]"
    documents = [f"{OBJECT % name}, data: {{x: 1}}}}" for name in "ab"]
    text = "\n---\n".join([*documents, *([document] * 5)])
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    assert _faults(tmp_path)[-1] == f"a.yaml:11: document 5: more than {MAX_VALUES} values"


def test_a_field_holds_a_mapping_with_what_is_merged_into_it() -> None:
    text = "a: &a {b: 2026-01-31}\nc: *a\nd: {<<: *a, e: 1}\n"
    day = {"b": "2026-01-31"}
    assert read_mapping(text) == {"a": day, "c": day, "d": {**day, "e": 1}}


_TENFOLD = "\n".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" if n else "a0: &a0 b" for n in range(30)
)


@pytest.mark.parametrize(
    "text",
    ["", "text", "[a]", "a: [", "\ud800", f"\ufeff{'- ' * 200_000}a", _TENFOLD, "a: &a [*a]"],
    ids=["empty", "text", "a list", "broken", "half a character", "deep", "large", "recursive"],
)
def test_a_field_that_holds_no_mapping_of_its_size_is_read_as_an_empty_one(text: str) -> None:
    assert read_mapping(text) == {}
