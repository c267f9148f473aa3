"""Editing a document, which may be a List of objects, item by item.

An edit takes as long as the text that it reads: in that of a whole List, each item would cost as
much as all of them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import yaml

from charts_py.objects.fields import is_same
from gpuplane.edits.edited_text import (
    UNREAD,
    DocumentEdit,
    EditedText,
    LeftAlone,
    Loader,
    content_of,
    edit_text,
)
from gpuplane.edits.yaml_entry import shared_nodes

_DASH = re.compile(r" *- +")
_ITEM = re.compile(r"^/items/([0-9]+)(?=/)")


@dataclass(frozen=True, slots=True)
class _ListItem:
    """An item of a List, as a text by itself."""

    start: int
    """Where it begins in the text of the List, behind its dash."""
    end: int
    """The place where the text after it begins."""
    text: str
    """Its text, with spaces in place of whatever stands before it on its line."""
    margin: int
    """Number of these spaces."""


def edit_document(text: str, edits: Sequence[DocumentEdit], loader: Loader) -> EditedText:
    """Edit one document as `edit_text` does, each item of a List alone."""
    by_item: defaultdict[int, list[DocumentEdit]] = defaultdict(list)
    for edit in edits:
        if (index := _item_of(edit)) is None:
            return edit_text(text, edits, loader)
        by_item[index].append(edit)
    items = _list_items(text, loader) if len(by_item) > 1 else ()
    if not items:
        return edit_text(text, edits, loader)
    texts, left = dict[int, str](), list[LeftAlone]()
    for index, of_item in by_item.items():
        edited = _edited_item(items[index], of_item, loader)
        texts[index] = edited.text
        left += edited.left
    after = _with_items(text, items, texts, loader)
    return edit_text(text, edits, loader) if after is None else EditedText(after, tuple(left))


def _item_of(edit: DocumentEdit) -> int | None:
    """Return the index of the only item that an edit changes; None where there is no such."""
    found = {match and int(match[1]) for match in (_ITEM.match(o.path) for o in edit.operations)}
    return found.pop() if len(found) == 1 else None


def _edited_item(item: _ListItem, edits: Sequence[DocumentEdit], loader: Loader) -> EditedText:
    within = [
        replace(
            edit,
            operations=tuple(
                one._replace(path=_ITEM.sub("", one.path, count=1)) for one in edit.operations
            ),
        )
        for edit in edits
    ]
    edited = edit_text(item.text, within, loader)
    whole = {id(one): edit for one, edit in zip(within, edits, strict=True)}
    left = tuple(LeftAlone(whole[id(alone.edit)], alone.why) for alone in edited.left)
    return EditedText(edited.text, left)


def _list_items(text: str, loader: Loader) -> tuple[_ListItem, ...]:
    """Return the items of a List in which each item has its own lines.

    Other documents have none, nor do those where anchors let places share nodes.
    """
    try:
        root = yaml.compose(text, loader)
    except UNREAD:
        return ()
    nodes = _nodes_of_items(root)
    if root is None or nodes is None or shared_nodes(root):
        return ()
    starts = [node.start_mark.index for node in nodes.value]
    lines = [text.rfind("\n", 0, start) + 1 for start in starts]
    ends = [*lines[1:], nodes.end_mark.index]
    places = zip(lines, starts, ends, strict=True)
    if not all(_DASH.fullmatch(text, line, start) for line, start, _ in places):
        return ()
    if ends[-1] < len(text) and text[ends[-1] - 1] != "\n":
        return ()
    return tuple(
        _ListItem(start, end, " " * (start - line) + text[start:end], start - line)
        for line, start, end in zip(lines, starts, ends, strict=True)
    )


def _nodes_of_items(root: yaml.Node | None) -> yaml.SequenceNode | None:
    if not isinstance(root, yaml.MappingNode):
        return None
    found = [value for key, value in root.value if key.value == "items"]
    if len(found) != 1 or not isinstance(found[0], yaml.SequenceNode) or found[0].flow_style:
        return None
    return found[0] if all(isinstance(each, yaml.MappingNode) for each in found[0].value) else None


def _with_items(
    text: str, items: tuple[_ListItem, ...], edited: Mapping[int, str], loader: Loader
) -> str | None:
    """Put other texts in the place of some items, by their index.

    None where the text would not read as just these items, with all else as it was.
    """
    parts, place = [], 0
    for index in sorted(edited):
        item = items[index]
        parts += [text[place : item.start], edited[index][item.margin :]]
        place = item.end
    after = "".join([*parts, text[place:]])
    try:
        meant = content_of(text, loader)
        for index, new in edited.items():
            meant["items"][index] = content_of(new, loader)
        return after if is_same(content_of(after, loader), meant) else None
    except UNREAD:
        return None
