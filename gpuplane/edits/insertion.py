"""Putting new entries into the text of a YAML file, in the style of those that are there."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from gpuplane.edits.block_style import BlockStyle
from gpuplane.edits.flow_style import flow_style
from gpuplane.edits.removal import IN_BRACES
from gpuplane.edits.text_edit import TextEdit, as_lines, newline_of
from gpuplane.edits.uneditable import UneditableError
from gpuplane.edits.written_value import item_lines, member_lines
from gpuplane.edits.yaml_entry import YamlEntry

_TYPES: Mapping[type[yaml.Node], type] = {yaml.MappingNode: dict, yaml.SequenceNode: list}


def insert_member(last: YamlEntry, name: str, value: Any, style: BlockStyle) -> TextEdit:
    """Return how a mapping in a block gets a member, behind the last that it has."""
    return _behind(last, member_lines(name, value, style), behind_comments(last))


def insert_item(
    siblings: tuple[YamlEntry, ...], index: int, value: Any, style: BlockStyle
) -> TextEdit:
    """Return how a sequence in a block gets an item, before the one that is there so far."""
    neighbour = siblings[max(index - 1, 0)]
    lines = tuple(_item_lines(neighbour, value, style))
    if index == len(siblings):
        last = siblings[-1]
        # Comments in line with dashes that are below their key may be those of the next key.
        above = last.above
        is_apart = above is None or above.indent < last.indent
        return _behind(last, lines, behind_comments(last) if is_apart else last.lines[1])
    following = siblings[index]
    if following.begins_its_line:
        start, _ = following.lines_with_comments
        indented = (f"{' ' * following.indent}{line}" if line else line for line in lines)
        return TextEdit(start, start, as_lines(following.text, start, indented))
    margin = f"{newline_of(following.text)}{' ' * following.indent}"
    return TextEdit(following.start, following.start, "".join(f"{one}{margin}" for one in lines))


def insert_into_flow(
    siblings: tuple[YamlEntry, ...], index: int, written: str, comma: str
) -> TextEdit:
    """Return how braces or brackets with entries get another one. Raises UneditableError."""
    text, last = siblings[0].text, siblings[-1]
    if last.begins_its_line:
        comma = f",{newline_of(text)}{last.margin}"
    if index < len(siblings):
        start = siblings[index].start
        return TextEdit(start, start, f"{written}{comma}")
    if last.comments(last.end, min(last.lines[1], int(last.holder.end_mark.index))):
        raise UneditableError(IN_BRACES)
    return TextEdit(last.end, last.end, f"{comma}{written}")


def margin_of(siblings: tuple[YamlEntry, ...]) -> str | None:
    """Return what stands before each entry in braces that are on several lines."""
    return siblings[-1].margin if siblings[-1].begins_its_line else None


def behind_comments(last: YamlEntry) -> int:
    """Return where the comments end that close a mapping or sequence behind its last entry.

    At the margin, where nothing sets them apart, they are those of what follows.
    """
    place, indent = last.lines[1], last.indent
    closing = re.compile(rf"(?: {{{indent},}}#.*\n?)*").match(last.text, place) if indent else None
    return closing.end() if closing else place


def _behind(last: YamlEntry, lines: Iterable[str], place: int) -> TextEdit:
    indented = (f"{' ' * last.indent}{line}" if line else line for line in lines)
    return TextEdit(place, place, as_lines(last.text, place, indented))


def _item_lines(neighbour: YamlEntry, value: Any, style: BlockStyle) -> Iterator[str]:
    """Yield the lines of an item, as far from its dash as its neighbour, or like it in braces."""
    node, width = neighbour.value, neighbour.value_start - neighbour.start
    if not neighbour.value_text or "\n" in neighbour.text[neighbour.start : neighbour.value_start]:
        return item_lines(value, style)
    is_flow = isinstance(node, yaml.CollectionNode) and node.flow_style and not neighbour.is_alias
    if is_flow and node.value and isinstance(value, _TYPES[type(node)]):
        flow = flow_style(neighbour.text, node, neighbour, style.quote)
        return iter([f"-{' ' * (width - 1)}{flow.value(value, None, '')}"])
    return item_lines(value, style, width)
