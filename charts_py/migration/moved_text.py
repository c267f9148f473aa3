"""Moving one field in the text of a cluster file, and changing nothing else of it."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import yaml

from charts_py.migration.yaml_entry import YamlEntry, entries, find_entry, root_of
from charts_py.spec.fault import FieldPath
from charts_py.spec.moved_fields import Move

_INDENT = 2
"""How far a mapping is set in within what holds it, in a file that has none yet."""


class UnmovableError(Exception):
    """Why a person has to move a field, as the end of a sentence."""


class _Edit(NamedTuple):
    """What takes the place of a part of the text."""

    start: int
    end: int
    text: str


def moved_text(text: str, move: Move, content: Any) -> str:
    """Return the text with a field at its new place; comments and quotes stay as they are.

    `content` is its value. Raises UnmovableError where the text is not simple enough for that.
    """
    entry = find_entry(text, move.path)
    if entry is None:
        raise UnmovableError("it is merged from elsewhere in the file")
    value = move.value(content)
    if value is None:
        return _edited(text, _with_gap(text, _removal(entry, taken=None)))
    is_same = move.field.values is None
    value_text = text[entry.end_of_key : entry.end] if is_same else f": {value}"
    if move.path[:-1] == move.to[:-1]:
        return _edited(text, _Edit(entry.start, entry.end, f"{move.to[-1]}{value_text}"))
    return _put_elsewhere(entry, move.to, value_text)


def _put_elsewhere(entry: YamlEntry, to: FieldPath, value_text: str) -> str:
    """Return the text with the entry in another mapping, which is made where there is none."""
    holder, node, depth = None, root_of(entry.text), 0
    while depth < len(to) - 1 and (found := find_entry(entry.text, to[: depth + 1])):
        holder, node, depth = found, found.value, depth + 1
    if not isinstance(node, yaml.MappingNode):
        raise UnmovableError(f"{to[depth - 1]} is not a mapping")
    missing = tuple(map(str, to[depth:]))
    if node.flow_style:
        pair = _flow_pair(missing, value_text)
        removal = _with_gap(entry.text, _removal(entry, taken=None))
        return _edited(entry.text, _into_flow(entry.text, node, pair), removal)
    return _put_into_block(entry, tuple(entries(entry.text, node, holder)), missing, value_text)


def _put_into_block(
    entry: YamlEntry, siblings: tuple[YamlEntry, ...], missing: tuple[str, ...], value_text: str
) -> str:
    """Return the text with the entry behind those of a mapping; at the root, behind its own."""
    text, last = entry.text, siblings[-1]
    if last.above is None:
        last = _outermost(entry)
    taken = None if entry.is_flow else entry.lines_with_comments
    lines = _own_lines(entry, f"{missing[-1]}{value_text}", taken)
    step = _step(text)
    heads = [f"{' ' * depth * step}{name}:" for depth, name in enumerate(missing[:-1])]
    indent = siblings[0].indent
    shift = indent + step * len(heads) - (0 if taken is None else entry.indent)
    new = (*(f"{' ' * indent}{head}" for head in heads), *(_shifted(one, shift) for one in lines))
    place, removal = _behind_comments(text, last.lines[1], indent), _removal(entry, taken)
    if removal.end == place:
        start = removal.start
        return _edited(text, _Edit(start, place, removal.text + _as_lines(text, start, new)))
    added = _Edit(place, place, _as_lines(text, place, new))
    return _edited(text, added, _with_gap(text, removal))


def _behind_comments(text: str, place: int, indent: int) -> int:
    """Return where the comments end that close a mapping.

    At the margin, where nothing sets them apart, they are those of what follows.
    """
    closing = re.compile(rf"(?: {{{indent},}}#.*\n?)*").match(text, place) if indent else None
    return closing.end() if closing else place


def _own_lines(entry: YamlEntry, pair: str, taken: tuple[int, int] | None) -> list[str]:
    """Return the lines of an entry that reads otherwise, with its comments where it takes them."""
    if taken is None:
        return [pair]
    start, end = taken
    lines = entry.text[start : entry.start] + pair + entry.text[entry.end : end]
    return lines.rstrip("\r\n").replace("\r\n", "\n").split("\n")


def _removal(entry: YamlEntry, taken: tuple[int, int] | None) -> _Edit:
    """Return how an entry goes, with the mappings that would be left empty.

    Comments stay, but for those in the lines that it takes along.
    """
    top = entry
    while top.above is not None and len(top.holder.value) == 1:
        top = top.above
    if top.is_flow:
        return _removal_from_flow(top)
    if not top.begins_its_line:
        raise UnmovableError("it does not begin its line")
    start, end = top.lines
    first, last = taken or (end, end)
    comments = [*top.comments(start, max(first, start)), *top.comments(last, end)]
    kept = [f"{' ' * top.indent}{comment}" for comment in comments]
    start = min(start, first)
    return _Edit(start, end, _as_lines(top.text, start, kept))


def _removal_from_flow(entry: YamlEntry) -> _Edit:
    siblings = tuple(entries(entry.text, entry.holder))
    index = next(at for at, one in enumerate(siblings) if one.start == entry.start)
    if index + 1 < len(siblings):
        edit = _Edit(entry.start, siblings[index + 1].start, "")
    else:
        edit = _Edit(siblings[index - 1].end if index else entry.start, entry.end, "")
    if entry.comments(edit.start, edit.end):
        raise UnmovableError("a comment stands in braces")
    return edit


def _with_gap(text: str, removal: _Edit) -> _Edit:
    """Return a removal of whole lines with the empty lines above, where others follow, or none."""
    above, below = text[: removal.start], text[removal.end :]
    gap = len(above) - len(above.rstrip("\r\n"))
    is_between = not below or below.startswith(("\n", "\r\n"))
    if removal.text or not above.endswith(("\n\n", "\n\r\n")) or not is_between:
        return removal
    kept = removal.start - gap + len(above[-gap:].splitlines(keepends=True)[0])
    return _Edit(kept, removal.end, "")


def _flow_pair(missing: tuple[str, ...], value_text: str) -> str:
    """Return an entry as it stands in braces, in those of new mappings."""
    if "\n" in value_text:
        raise UnmovableError("its value takes several lines, and its new place is in braces")
    pair = f"{missing[-1]}{value_text}"
    for name in reversed(missing[:-1]):
        pair = f"{name}: {{{pair}}}"
    return pair


def _into_flow(text: str, node: yaml.MappingNode, pair: str) -> _Edit:
    """Return how a pair is added to a mapping in braces, as its last."""
    there = tuple(entries(text, node))
    place = there[-1].end if there else int(node.start_mark.index) + 1
    return _Edit(place, place, f", {pair}" if there else pair)


def _outermost(entry: YamlEntry) -> YamlEntry:
    """Return the entry of the root that an entry is, or lies in."""
    return entry if entry.above is None else _outermost(entry.above)


def _step(text: str) -> int:
    """Return how far mappings of a file are set in within what holds them."""
    for entry in entries(text, root_of(text)):
        for inner in entries(text, entry.value):
            if not inner.is_flow:
                return inner.indent
    return _INDENT


def _shifted(line: str, by: int) -> str:
    """Return a line set in further, or less far."""
    if by >= 0:
        return f"{' ' * by}{line}" if line else line
    return line[min(-by, len(line) - len(line.lstrip(" "))) :]


def _as_lines(text: str, place: int, lines: Iterable[str]) -> str:
    """Return whole lines that end as those of a text do, to be put where one begins, or behind."""
    newline = "\r\n" if "\r\n" in text else "\n"
    before = newline if place and text[place - 1] != "\n" else ""
    return before + "".join(f"{line}{newline}" for line in lines)


def _edited(text: str, *edits: _Edit) -> str:
    """Return the text with all edits, whose places are those before any of them."""
    after = len(text)
    for edit in sorted(edits, reverse=True):
        if edit.end > after:
            raise UnmovableError("its new place is within what goes")
        text, after = text[: edit.start] + edit.text + text[edit.end :], edit.start
    return text
