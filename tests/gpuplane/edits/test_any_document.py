"""Random patches on random documents in any style."""

import json
from collections.abc import Iterator
from typing import Any

import yaml
from hypothesis import given, strategies as st

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.objects.fields import is_same
from gpuplane.edits.edited_text import DocumentEdit, EditedText, edit_text
from gpuplane.edits.written_value import json_text
from policies.document import pointer
from policies.operation import Operation, OperationName, apply, copied
from tests.gpuplane.edits.rendered_documents import DOCUMENTS, NAMES, VALUES, Rendered, rendered

BEFORE = (
    "",
    "---\n",
    "# the file\n\n",
    "%YAML 1.1\n---\n",
    "x: 1\n---\n",
    "{x: 1}\n---\n",
    "\ufeff",
)
BEHIND = ("", "...\n", "---\nx: 1\n", "--- {x: 1}\n", "---\n")


def _edit(text: str, operations: list[Operation], document: int = 0) -> EditedText:
    return edit_text(text, [DocumentEdit(document, tuple(operations))], ManifestLoader)


def _patched(content: Any, operations: list[Operation]) -> Any:
    after = copied(content)
    apply(after, operations)
    return after


def _documents(text: str) -> list[Any]:
    return list(yaml.load_all(text, ManifestLoader))


@given(st.data(), rendered(), st.sampled_from(BEFORE), st.sampled_from(BEHIND))
def test_the_text_reads_as_the_patched_document_and_comments_stay(
    data: st.DataObject, document: Rendered, before: str, behind: str
) -> None:
    text = before + document.text + behind
    contents, index = _documents(text), int("x: 1" in before)
    operations = data.draw(patches(document.content))
    edited = _edit(text, operations, index)
    assert edited.left == ()
    contents[index] = _patched(document.content, operations)
    assert is_same(_documents(edited.text), contents)
    assert [comment for comment in document.comments if comment not in edited.text] == []


@given(st.data(), rendered(), st.sampled_from(("\n", "\r\n")), st.booleans())
def test_lines_of_other_members_stay_as_they_are(
    data: st.DataObject, document: Rendered, newline: str, ends_with_it: bool
) -> None:
    text = document.text.replace("\n", newline)
    text = text if ends_with_it else text.removesuffix(newline)
    operations = data.draw(patches(document.content))
    edited = _edit(text, operations)
    assert edited.left == ()
    changed = {operation.path.split("/")[1] for operation in operations}
    same_members = [name for name in document.members if pointer(name)[1:] not in changed]
    lines = edited.text.splitlines()
    assert [name for name in same_members if not _holds(lines, document.members[name])] == []
    assert "\r" not in edited.text.replace(newline, "")


def _holds(lines: list[str], part: list[str]) -> bool:
    part = "\n".join(part).rstrip("\n").split("\n")
    return any(lines[at : at + len(part)] == part for at in range(len(lines)))


@given(rendered())
def test_a_patch_that_changes_nothing_leaves_the_text(document: Rendered) -> None:
    operations = [
        Operation("replace", path, value) for path, value in paths(document.content) if path
    ]
    assert _edit(document.text, operations) == EditedText(document.text)


@given(
    st.data(),
    DOCUMENTS,
    st.sampled_from((None, "  ", "\t")),
    st.sampled_from(((",", ":"), (", ", ": "))),
)
def test_json_stays_json(
    data: st.DataObject, content: Any, indent: str | None, separators: tuple[str, str]
) -> None:
    text = json_text(content, indent, separators)
    content = json.loads(text)
    operations = data.draw(patches(content))
    edited = _edit(text, operations)
    assert edited.left == ()
    assert is_same(json.loads(edited.text), _patched(content, operations))


OPERATIONS: tuple[OperationName, ...] = ("add", "replace", "remove")


@st.composite
def patches(draw: st.DrawFn, content: Any, most: int = 3) -> list[Operation]:
    """Draw a patch that leaves the document with a field."""
    content, found = copied(content), []
    for _ in range(draw(st.integers(1, most))):
        operation = draw(_operations(content))
        after = copied(content)
        apply(after, [operation])
        if after:
            content = after
            found.append(operation)
    return found


@st.composite
def _operations(draw: st.DrawFn, content: Any) -> Operation:
    holders = [(path, value) for path, value in paths(content) if isinstance(value, (dict, list))]
    path, holder = draw(st.sampled_from(holders))
    there = list(holder) if isinstance(holder, dict) else range(len(holder))
    op: OperationName = draw(st.sampled_from(OPERATIONS if there else OPERATIONS[:1]))
    if op == "remove":
        return Operation(op, f"{path}{pointer(draw(st.sampled_from(there)))}")
    if op == "replace":
        return Operation(op, f"{path}{pointer(draw(st.sampled_from(there)))}", draw(VALUES))
    places = NAMES if isinstance(holder, dict) else st.sampled_from((*range(len(holder) + 1), "-"))
    return Operation(op, f"{path}{pointer(draw(places))}", draw(VALUES))


def paths(content: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each value of a document with the JSON Pointer to it."""
    yield path, content
    if isinstance(content, dict):
        for name, value in content.items():
            yield from paths(value, f"{path}{pointer(name)}")
    elif isinstance(content, list):
        for index, value in enumerate(content):
            yield from paths(value, f"{path}/{index}")
