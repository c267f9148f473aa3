import json

import pytest
from hypothesis import given, strategies as st

from charts_py.extensions.manifest_files import ManifestLoader
from gpuplane.edits.edited_list import edit_document
from gpuplane.edits.edited_text import DocumentEdit, EditedText, edit_text
from policies.operation import Operation

ITEM = """\
  # About the next one.
  - kind: Pod   # named below
    metadata:
      name: 'a'

    spec:
      tolerations:
      - {key: a}
      containers:
        - image: b
"""
ADDED = (
    Operation("add", "/metadata/labels", {"team": "a"}),
    Operation("add", "/spec/tolerations/-", {"key": "b"}),
    Operation("replace", "/spec/containers/0/image", "c"),
)


def _edits(count: int) -> list[DocumentEdit]:
    return [
        DocumentEdit(0, (one._replace(path=f"/items/{index}{one.path}"),))
        for index in range(count)
        for one in ADDED
    ]


def _list(*items: str) -> str:
    return "".join(["apiVersion: v1\nkind: List\nitems:\n", *items])


class CountingLoader(ManifestLoader):
    """Counts the characters that it reads."""

    read = 0

    def __init__(self, stream: str) -> None:
        CountingLoader.read += len(stream)
        super().__init__(stream)


def _characters_read(count: int) -> int:
    CountingLoader.read = 0
    edit_document(_list(*[ITEM] * count), _edits(count), CountingLoader)
    return CountingLoader.read


def test_twice_as_many_items_are_twice_as_much_to_read() -> None:
    assert _characters_read(20) < 2.1 * _characters_read(10)


@pytest.mark.parametrize(
    "text",
    [
        _list(ITEM, ITEM),
        _list(ITEM, ITEM) + "# The end.\nmetadata: {}\n",
        _list(ITEM, ITEM).rstrip("\n"),
        _list(ITEM, ITEM).replace("\n", "\r\n"),
        _list(ITEM, ITEM).replace("  - kind", "-\n    kind"),
        _list(ITEM, ITEM).replace("\n  ", "\n"),
        _list(ITEM.replace("{key: a}", "&a {key: a}"), ITEM.replace("{key: a}", "*a")),
        json.dumps(
            {
                "items": [
                    {"metadata": {}, "spec": {"tolerations": [], "containers": [{"image": "b"}]}}
                ]
                * 2
            },
            indent=2,
        ),
    ],
)
def test_items_are_edited_as_all_of_their_list_is(text: str) -> None:
    edited = edit_document(text, _edits(2), ManifestLoader)
    assert edited == edit_text(text, _edits(2), ManifestLoader)
    assert edited.text != text


def test_what_cannot_be_written_in_one_item_is_left_alone_there() -> None:
    tagged = ITEM.replace("image: b", "image: !!str b")
    edits = _edits(2)
    edited = edit_document(_list(ITEM, tagged), edits, ManifestLoader)
    assert [alone.edit for alone in edited.left] == [edits[-1]]
    assert "image: c" in edited.text


@given(st.permutations(range(len(_edits(2)))), st.integers(0, len(_edits(2))))
def test_any_edits_of_items_give_what_they_give_in_all_of_their_list(
    order: list[int], count: int
) -> None:
    text, edits = _list(ITEM, ITEM), [_edits(2)[index] for index in order[:count]]
    expected: EditedText = edit_text(text, edits, ManifestLoader)
    assert edit_document(text, edits, ManifestLoader) == expected
