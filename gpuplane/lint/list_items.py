"""The items of a List of objects as parts of its text, so that each can be edited alone.

To edit one takes as long as its text is: in all of a List it would take as long as the List is, for
each of its items.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from gpuplane.edits.edited_document import UNREAD, Loader
from gpuplane.edits.narrowed import same

_DASH = re.compile(r" *- +")
_ITEM = re.compile(r"^/items/([0-9]+)(?=/)")


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item of a List, as a text of its own."""

    start: int
    """Where it begins in the text of the List, behind its dash."""
    end: int
    """Where what follows begins."""
    text: str
    """With spaces in the place of what stands before it on its line."""
    margin: int
    """How many these are."""


def item_of(pointer: str) -> int | None:
    """Return the index of the item that a JSON Pointer leads into, if any."""
    found = _ITEM.match(pointer)
    return None if found is None else int(found[1])


def within_item(pointer: str) -> str:
    """Return a JSON Pointer into an item as one from there."""
    return _ITEM.sub("", pointer, count=1)


def list_items(text: str, loader: Loader) -> tuple[ListItem, ...]:
    """Return the items of a List that is written in lines, each of which stands for itself.

    None of other documents, and none where anchors make items share what they have.
    """
    try:
        root = yaml.compose(text, loader)
    except UNREAD:
        return ()
    nodes = _nodes_of_items(root)
    if root is None or nodes is None or not _are_apart(root):
        return ()
    starts = [node.start_mark.index for node in nodes.value]
    lines = [text.rfind("\n", 0, start) + 1 for start in starts]
    ends = [*lines[1:], nodes.end_mark.index]
    places = zip(lines, starts, ends, strict=True)
    if not all(_DASH.fullmatch(text, line, start) for line, start, _ in places):
        return ()
    if ends[-1] < len(text) and text[ends[-1] - 1] != "\n":
        return ()
    return tuple(_items(text, lines, starts, ends))


def _items(text: str, lines: list[int], starts: list[int], ends: list[int]) -> Iterator[ListItem]:
    for line, start, end in zip(lines, starts, ends, strict=True):
        margin = start - line
        yield ListItem(start, end, " " * margin + text[start:end], margin)


def _nodes_of_items(root: yaml.Node | None) -> yaml.SequenceNode | None:
    if not isinstance(root, yaml.MappingNode):
        return None
    found = [value for key, value in root.value if key.value == "items"]
    if len(found) != 1 or not isinstance(found[0], yaml.SequenceNode) or found[0].flow_style:
        return None
    return found[0] if all(isinstance(each, yaml.MappingNode) for each in found[0].value) else None


def _are_apart(root: yaml.Node) -> bool:
    """Whether no node stands in several places."""
    seen, waiting = set[int](), [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            return False
        seen.add(id(node))
        if isinstance(node, yaml.CollectionNode):
            pairs = (one if isinstance(one, tuple) else (one,) for one in node.value)
            waiting += (inner for pair in pairs for inner in pair)
    return True


def with_items(
    text: str, items: tuple[ListItem, ...], edited: Mapping[int, str], loader: Loader
) -> str | None:
    """Return the text of a List with other texts of some items, by their index.

    None where it would not have just these items, and all else as it was.
    """
    parts, place = [], 0
    for index in sorted(edited):
        item = items[index]
        parts += [text[place : item.start], edited[index][item.margin :]]
        place = item.end
    after = "".join([*parts, text[place:]])
    try:
        meant = _content(text, loader)
        for index, new in edited.items():
            meant["items"][index] = _content(new, loader)
        return after if same(_content(after, loader), meant) else None
    except UNREAD:
        return None


def _content(text: str, loader: Loader) -> Any:
    return yaml.load(text, loader)  # noqa: S506 # a safe one
