"""Text before and after: the cases that people meet."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.objects.fields import is_same
from gpuplane.edits.edited_text import (
    CHANGES_MORE,
    DocumentEdit,
    EditedText,
    LeftAlone,
    edit_text,
    narrowed,
)
from gpuplane.edits.entry_edits import with_operation
from policies.operation import Operation, apply, copied
from tests.gpuplane.edits.rendered_documents import VALUES

CASES = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text(encoding="utf-8"))


def _edit(text: str, *operations: Operation, document: int = 0) -> EditedText:
    return edit_text(text, [DocumentEdit(document, operations)], ManifestLoader)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_patch_changes_what_a_person_would(case: dict[str, str]) -> None:
    operations = [
        Operation(one["op"], one["path"], one.get("value")) for one in yaml.safe_load(case["patch"])
    ]
    assert _edit(case["before"], *operations) == EditedText(case["after"])


@pytest.mark.parametrize(
    ("text", "operation", "why"),
    [
        ("a: &x {b: 1}\nc: *x\n", Operation("add", "/a/d", 1), "&x shares it with other places"),
        ("a: &x {b: 1}\nc: *x\n", Operation("add", "/c/d", 1), "*x stands in its place"),
        ("a: &x {b: 1}\nc: *x\n", Operation("replace", "/a", 1), "&x stands before its value"),
        ("a: !!str 1\n", Operation("replace", "/a", "b"), "!!str stands before its value"),
        (
            "a: &x {b: {c: 1}}\nd:\n  <<: *x\n",
            Operation("add", "/d/b/e", 1),
            "a merge key, <<, brings in b",
        ),
        (
            "a: &x {b: 1}\nd: {<<: *x}\n",
            Operation("remove", "/d/b"),
            "a merge key, <<, brings in b",
        ),
        ("a:\n- [b, # one\n  c]\n", Operation("remove", "/a/0/0"), "a comment stands in braces"),
        ("a: | # b\n  c\n", Operation("replace", "/a", 1), "a comment stands beside |"),
        ("? a\n: 1\nb: 2\n", Operation("remove", "/a"), "it does not begin its line"),
        ("a: 1\n", Operation("remove", "/a"), "it would be, or is, the only field of its document"),
        ("a: 1\n", Operation("remove", "/b"), "remove /b: there is no b"),
        ("", Operation("add", "/b", 1), "add /b: its parent is neither an object nor an array"),
        ("a: 1\n", Operation("add", "/b", "\ud800"), "something else would change with it"),
    ],
)
def test_what_cannot_be_edited_safely_is_left_alone(
    text: str, operation: Operation, why: str
) -> None:
    edit = DocumentEdit(0, (operation,))
    assert edit_text(text, [edit], ManifestLoader) == EditedText(text, (LeftAlone(edit, why),))


@pytest.mark.parametrize("wrong", ["a: 1\nb: 3\n", "a: 1\nb: [\n"], ids=["wrong", "not YAML"])
def test_what_is_written_wrong_is_left_alone_and_others_are_done(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    def write(text: str, *arguments: Any) -> str:
        return wrong if text.startswith("a") else with_operation(text, *arguments)

    monkeypatch.setattr("gpuplane.edits.edited_text.with_operation", write)
    edits = [DocumentEdit(document, (Operation("add", "/b", 2),)) for document in (0, 1)]
    assert edit_text("a: 1\n---\nc: 1\n", edits, ManifestLoader) == EditedText(
        "a: 1\n---\nc: 1\nb: 2\n", (LeftAlone(edits[0], CHANGES_MORE),)
    )


def test_what_reads_otherwise_as_a_whole_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document may hold what ends it for those after it, as `...` does not."""
    edits = [DocumentEdit(1, (Operation("add", "/b", 2),))]
    for read in (["{a: 1}", "{b: 2}", "{}"], ["{a: 1}", "{b: ["]):
        monkeypatch.setattr(yaml, "load_all", _loading(read))
        left = tuple(LeftAlone(edit, CHANGES_MORE) for edit in edits)
        assert edit_text("a: 1\n---\nc: 1\n", edits, ManifestLoader) == EditedText(
            "a: 1\n---\nc: 1\n", left
        )


def _loading(documents: list[str]) -> Callable[..., Iterator[object]]:
    return lambda *_: (yaml.safe_load(each) for each in documents)


def test_an_edit_is_done_as_a_whole_or_not_at_all_and_others_are_done() -> None:
    half = DocumentEdit(0, (Operation("add", "/b", 2), Operation("remove", "/c")))
    whole = DocumentEdit(0, (Operation("add", "/d", 3),))
    assert edit_text("a: 1\n", [half, whole], ManifestLoader) == EditedText(
        "a: 1\nd: 3\n", (LeftAlone(half, "remove /c: there is no c"),)
    )


def test_each_edit_sees_those_before_it() -> None:
    edits = [
        DocumentEdit(0, (Operation("add", "/b", {}),)),
        DocumentEdit(0, (Operation("add", "/b/c", 1),)),
    ]
    assert edit_text("a: 1\n", edits, ManifestLoader).text == "a: 1\nb:\n  c: 1\n"


def test_documents_and_items_of_lists_are_edited_by_index_and_pointer() -> None:
    text = "a: 1\n---\n# empty\n---\nkind: List\nitems:\n- a: 1\n- a: 2 # two\n...\n"
    edited = _edit(text, Operation("replace", "/items/1/a", 3), document=2)
    assert edited == EditedText(text.replace("2 # two", "3 # two"))


def test_a_byte_order_mark_stays() -> None:
    assert _edit("\ufeffa: 1\n", Operation("replace", "/a", 2)).text == "\ufeffa: 2\n"


@given(VALUES, VALUES)
def test_the_operations_make_one_value_of_another(old: Any, new: Any) -> None:
    document = {"a": copied(old)}
    apply(document, narrowed(old, new, "/a"))
    assert is_same(document, {"a": new})


@pytest.mark.parametrize(
    ("old", "new", "operations"),
    [
        ([1, 2], [1, 2], []),
        (1, True, [Operation("replace", "", True)]),
        (1, 1.0, [Operation("replace", "", 1.0)]),
        ([1, 2, 3], [1, 3], [Operation("remove", "/1")]),
        ([1, 3], [1, 2, 3], [Operation("add", "/1", 2)]),
        ({"a/b": {"c": 1}}, {"a/b": {"c": 2}}, [Operation("replace", "/a~1b/c", 2)]),
        ({"a": 1}, {"b": 1}, [Operation("add", "/b", 1), Operation("remove", "/a")]),
        ({"a": 1}, {}, [Operation("replace", "", {})]),
    ],
)
def test_only_what_differs_changes(old: Any, new: Any, operations: list[Operation]) -> None:
    assert list(narrowed(old, new, "")) == operations
