"""An operation of a JSON Patch done in the text of a YAML document, whose comments stay."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import yaml

from charts_py.cluster_file.fault import FieldPath
from gpuplane.edits.text_edit import (
    TextEdit,
    UneditableError,
    as_lines,
    edited,
    newline_of,
    with_gap,
)
from gpuplane.edits.written_value import (
    DASH,
    BlockStyle,
    Written,
    flow_style,
    item_lines,
    member_lines,
    quoted_text,
    set_in,
    style_of,
    written,
)
from gpuplane.edits.yaml_entry import YamlEntry, entries, entries_on, line_end, shared_nodes
from policies.operation import Operation

_IN_BRACES = "a comment stands in braces"
_TYPES: Mapping[type[yaml.Node], type] = {yaml.MappingNode: dict, yaml.SequenceNode: list}
_LITERAL = ("|", ">")


def with_operation(text: str, root: yaml.Node, path: FieldPath, operation: Operation) -> str:
    """Do an operation, which applies to the content of the document, in its text.

    `path` is where: names, and an index for each item. Raises UneditableError.
    """
    on_the_way = entries_on(text, root, path[:-1])
    _check_way(on_the_way, path, shared_nodes(root) if "&" in text else frozenset())
    holder = _Holder(text, on_the_way[-1] if on_the_way else None, root)
    if operation.op == "remove":
        return edited(text, with_gap(text, holder.removal(path[-1])))
    return edited(text, holder.with_value(path[-1], operation))


def _check_way(on_the_way: Sequence[YamlEntry], path: FieldPath, shared: frozenset[int]) -> None:
    """Raise UneditableError where the holder of a place stands elsewhere, or in several places."""
    for entry in on_the_way:
        if id(entry.value) in shared:
            name = entry.value_text.split()[0]
            what = "stands in its place" if entry.is_alias else "shares it with other places"
            raise UneditableError(f"{name} {what}")
    if len(on_the_way) < len(path) - 1:
        _raise_merged(path[len(on_the_way)])


def _raise_merged(step: str | int) -> NoReturn:
    raise UneditableError(f"a merge key, <<, brings in {step}")


@dataclass(frozen=True)
class _Holder:
    """The mapping or sequence in which something changes."""

    text: str
    entry: YamlEntry | None
    """The entry whose value it is; None for a whole document."""
    root: yaml.Node

    @property
    def node(self) -> yaml.CollectionNode:
        node = self.root if self.entry is None else self.entry.value
        if not isinstance(node, yaml.CollectionNode):
            raise UneditableError("what is to hold it is written as a single value")
        return node

    @cached_property
    def siblings(self) -> tuple[YamlEntry, ...]:
        return tuple(entries(self.text, self.node, self.entry))

    @cached_property
    def style(self) -> BlockStyle:
        return style_of(self.root)

    def removal(self, step: str | int) -> TextEdit:
        """Remove an entry; braces or brackets stay where the holder would be empty."""
        found = self._find(step) or _raise_merged(step)
        if len(self.siblings) > 1:
            return removal(found)
        return self._whole({} if isinstance(step, str) else [])

    def with_value(self, step: str | int, operation: Operation) -> TextEdit:
        found = self._find(step)
        if found is not None and (operation.op == "replace" or isinstance(step, str)):
            return replacement(found, operation.value, self.style)
        if not self.siblings:
            value = operation.value
            return self._whole({step: value} if isinstance(step, str) else [value])
        if self.node.flow_style:
            return self._into_flow(step, operation.value)
        if isinstance(step, str):
            return insert_member(self.siblings[-1], step, operation.value, self.style)
        return insert_item(self.siblings, step, operation.value, self.style)

    def _find(self, step: str | int) -> YamlEntry | None:
        return next((one for one in self.siblings if one.step == step), None)

    def _whole(self, value: Any) -> TextEdit:
        if self.entry is None:
            raise UneditableError("it would be, or is, the only field of its document")
        return replacement(self.entry, value, self.style)

    def _into_flow(self, step: str | int, value: Any) -> TextEdit:
        flow = flow_style(self.text, self.node, self.entry, self.style.quote)
        last = self.siblings[-1]
        # Braces that take several lines have a margin.
        place = last.margin if last.begins_its_line else None, newline_of(self.text)
        if isinstance(step, str):
            member = flow.member(step, value, *place)
            return insert_into_flow(self.siblings, len(self.siblings), member, flow.comma)
        return insert_into_flow(self.siblings, step, flow.value(value, *place), flow.comma)


def insert_member(last: YamlEntry, name: str, value: Any, style: BlockStyle) -> TextEdit:
    """Put a member behind the last one of a mapping in a block."""
    return _behind(last, member_lines(name, value, style), behind_comments(last))


def insert_item(
    siblings: tuple[YamlEntry, ...], index: int, value: Any, style: BlockStyle
) -> TextEdit:
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
        indented = set_in(lines, following.indent)
        return TextEdit(start, start, as_lines(following.text, start, indented))
    margin = f"{newline_of(following.text)}{' ' * following.indent}"
    return TextEdit(following.start, following.start, "".join(f"{one}{margin}" for one in lines))


def _item_lines(neighbour: YamlEntry, value: Any, style: BlockStyle) -> Iterator[str]:
    """Write an item as far from its dash as its neighbour, or in braces like it."""
    node, width = neighbour.value, neighbour.value_start - neighbour.start
    if not neighbour.value_text or "\n" in neighbour.text[neighbour.start : neighbour.value_start]:
        return item_lines(value, style)
    is_flow = isinstance(node, yaml.CollectionNode) and node.flow_style and not neighbour.is_alias
    if is_flow and node.value and isinstance(value, _TYPES[type(node)]):
        flow = flow_style(neighbour.text, node, neighbour, style.quote)
        return iter([f"-{' ' * (width - 1)}{flow.value(value, None, '')}"])
    return item_lines(value, style, width)


def _behind(last: YamlEntry, lines: Iterable[str], place: int) -> TextEdit:
    return TextEdit(place, place, as_lines(last.text, place, set_in(lines, last.indent)))


def behind_comments(last: YamlEntry) -> int:
    """Return where the comments end that close a mapping or sequence after its last entry.

    At the margin nothing tells them apart from the comments of what follows.
    """
    place, indent = last.lines[1], last.indent
    closing = re.compile(rf"(?: {{{indent},}}#.*\n?)*").match(last.text, place) if indent else None
    return closing.end() if closing else place


def insert_into_flow(
    siblings: tuple[YamlEntry, ...], index: int, written: str, comma: str
) -> TextEdit:
    """Put an entry into braces or brackets that have others. Raises UneditableError."""
    text, last = siblings[0].text, siblings[-1]
    if last.begins_its_line:
        comma = f",{newline_of(text)}{last.margin}"
    if index < len(siblings):
        start = siblings[index].start
        return TextEdit(start, start, f"{written}{comma}")
    if last.comments(last.end, min(last.lines[1], int(last.holder.end_mark.index))):
        raise UneditableError(_IN_BRACES)
    return TextEdit(last.end, last.end, f"{comma}{written}")


def removal(entry: YamlEntry, taken: tuple[int, int] | None = None) -> TextEdit:
    """Remove an entry that is not the only one of its holder.

    Comments stay, except in the lines `taken` with it. Raises UneditableError.
    """
    if entry.is_flow:
        return _removal_from_flow(entry)
    if not entry.begins_its_line:
        return _removal_behind_dash(entry)
    start, end = entry.lines
    first, last = taken or (end, end)
    comments = [*entry.comments(start, max(first, start)), *entry.comments(last, end)]
    kept = [f"{' ' * entry.indent}{comment}" for comment in comments]
    start = min(start, first)
    return TextEdit(start, end, as_lines(entry.text, start, kept))


def _removal_behind_dash(entry: YamlEntry) -> TextEdit:
    """Remove the first entry of a holder whose dash is on the same line."""
    later = (one for one in entries(entry.text, entry.holder) if one.start > entry.start)
    following = next(later, None)
    if following is None or not following.begins_its_line or entry.margin.strip(" -"):
        raise UneditableError("it does not begin its line")
    start, _ = following.lines
    comments = entry.comments(entry.start, start)
    if not comments:
        return TextEdit(entry.start, following.start, "")
    first, *rest = comments
    kept = (first, *(f"{' ' * entry.indent}{comment}" for comment in rest))
    return TextEdit(entry.start, start, as_lines(entry.text, 0, kept))


def _removal_from_flow(entry: YamlEntry) -> TextEdit:
    siblings = tuple(entries(entry.text, entry.holder))
    index = next(at for at, one in enumerate(siblings) if one.start == entry.start)
    if index + 1 < len(siblings):
        edit = TextEdit(entry.start, siblings[index + 1].start, "")
    else:
        edit = TextEdit(siblings[index - 1].end if index else entry.start, entry.end, "")
    if entry.comments(edit.start, edit.end):
        raise UneditableError(_IN_BRACES)
    return edit


def replacement(entry: YamlEntry, value: Any, style: BlockStyle) -> TextEdit:
    """Give an entry another value. Raises UneditableError."""
    if entry.has_properties:
        raise UneditableError(f"{entry.value_text.split()[0]} stands before its value")
    if _style(entry) in _LITERAL and "#" in entry.value_text.split("\n")[0]:
        raise UneditableError(f"a comment stands beside {_style(entry)}")
    if entry.is_flow:
        flow = flow_style(entry.text, entry.holder, entry.above, style.quote)
        margin = entry.margin if entry.begins_its_line else None
        quoted = None if flow.is_json else _with_its_quotes(entry, value)
        text = quoted.head if quoted else flow.value(value, margin, newline_of(entry.text))
        return _on_one_line(entry, text)
    new = _with_its_quotes(entry, value) or written(value, style)
    if entry.is_block or new.lines:
        return _in_block(entry, value, new, style)
    return _on_one_line(entry, new.head)


def _in_block(entry: YamlEntry, value: Any, new: Written, style: BlockStyle) -> TextEdit:
    """Give an entry a value that takes lines of its own, or had some; comments stay."""
    text, end = entry.text, entry.lines[1]
    first_end = min(line_end(text, entry.head_end), end)
    beside = entry.comments(entry.head_end, first_end)
    kept = entry.comments(first_end, end)
    head, lines = new.head, new.lines
    if entry.key is None and not head and not beside and not kept:
        head, lines = lines[0], lines[1:]
    head = "  ".join((f" {head}" if head else "", *beside)).rstrip()
    depth = style.offset if value and isinstance(value, list) else style.step
    inner = entry.indent + (DASH if entry.key is None else depth)
    first = f"{text[entry.lines[0] : entry.head_end]}{head}"
    below = [*set_in(lines, inner)]
    if isinstance(value, str):
        # Within text, a comment would be part of it.
        below += [f"{' ' * entry.indent}{comment}" for comment in kept]
    else:
        below = [*(f"{' ' * inner}{comment}" for comment in kept), *below]
    whole = as_lines(text, entry.lines[0], (first, *below))
    return TextEdit(entry.lines[0], end, whole)


def _on_one_line(entry: YamlEntry, text: str) -> TextEdit:
    if entry.comments(entry.value_start, entry.end):
        raise UneditableError(_IN_BRACES)
    return TextEdit(entry.value_start, entry.end, text if entry.value_text else f" {text}")


def _with_its_quotes(entry: YamlEntry, value: Any) -> Written | None:
    quote = _style(entry)
    if isinstance(value, str) and "\n" not in value and quote in ("'", '"'):
        return Written(quoted_text(value, quote))
    return None


def _style(entry: YamlEntry) -> str | None:
    """Return the quote or sign with which a scalar begins; None for a plain one."""
    node = entry.value
    return node.style if isinstance(node, yaml.ScalarNode) and not entry.is_alias else None
