"""Moving one field in the text of a cluster file, and changing nothing else of it."""

from typing import Any

import yaml

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.moved_fields import Move
from gpuplane.edits.entry_edits import behind_comments, removal
from gpuplane.edits.text_edit import TextEdit, UneditableError, as_lines, edited, with_gap
from gpuplane.edits.written_value import style_of
from gpuplane.edits.yaml_entry import YamlEntry, entries, find_entry, root_of


def moved_text(text: str, move: Move, content: Any) -> str:
    """Return the text with a field at its new place; comments and quotes stay as they are.

    `content` is its value. Raises UneditableError where the text is not simple enough for that.
    """
    entry = find_entry(text, move.path)
    if entry is None:
        raise UneditableError("it is merged from elsewhere in the file")
    value = move.value(content)
    if value is None:
        return edited(text, with_gap(text, _removal(entry, taken=None)))
    is_same = move.field.values is None
    value_text = text[entry.end_of_key : entry.end] if is_same else f": {value}"
    if move.path[:-1] == move.to[:-1]:
        return edited(text, TextEdit(entry.start, entry.end, f"{move.to[-1]}{value_text}"))
    return _put_elsewhere(entry, move.to, value_text)


def _put_elsewhere(entry: YamlEntry, to: FieldPath, value_text: str) -> str:
    """Return the text with the entry in another mapping, which is made where there is none."""
    holder, node, depth = None, root_of(entry.text), 0
    while depth < len(to) - 1 and (found := find_entry(entry.text, to[: depth + 1])):
        holder, node, depth = found, found.value, depth + 1
    if not isinstance(node, yaml.MappingNode):
        raise UneditableError(f"{to[depth - 1]} is not a mapping")
    missing = tuple(map(str, to[depth:]))
    if node.flow_style:
        pair = _flow_pair(missing, value_text)
        gone = with_gap(entry.text, _removal(entry, taken=None))
        return edited(entry.text, _into_flow(entry.text, node, pair), gone)
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
    step = style_of(root_of(text)).step
    heads = [f"{' ' * depth * step}{name}:" for depth, name in enumerate(missing[:-1])]
    indent = siblings[0].indent
    shift = indent + step * len(heads) - (0 if taken is None else entry.indent)
    new = (*(f"{' ' * indent}{head}" for head in heads), *(_shifted(one, shift) for one in lines))
    place, gone = behind_comments(last), _removal(entry, taken)
    if gone.end == place:
        start = gone.start
        return edited(text, TextEdit(start, place, gone.text + as_lines(text, start, new)))
    added = TextEdit(place, place, as_lines(text, place, new))
    return edited(text, added, with_gap(text, gone))


def _own_lines(entry: YamlEntry, pair: str, taken: tuple[int, int] | None) -> list[str]:
    """Return the lines of an entry that reads otherwise, with its comments where it takes them."""
    if taken is None:
        return [pair]
    start, end = taken
    lines = entry.text[start : entry.start] + pair + entry.text[entry.end : end]
    return lines.rstrip("\r\n").replace("\r\n", "\n").split("\n")


def _removal(entry: YamlEntry, taken: tuple[int, int] | None) -> TextEdit:
    """Return how an entry goes, with the mappings that would be left empty."""
    top = entry
    while top.above is not None and len(top.holder.value) == 1:
        top = top.above
    return removal(top, taken)


def _flow_pair(missing: tuple[str, ...], value_text: str) -> str:
    """Return an entry as it stands in braces, in those of new mappings."""
    if "\n" in value_text:
        raise UneditableError("its value takes several lines, and its new place is in braces")
    pair = f"{missing[-1]}{value_text}"
    for name in reversed(missing[:-1]):
        pair = f"{name}: {{{pair}}}"
    return pair


def _into_flow(text: str, node: yaml.MappingNode, pair: str) -> TextEdit:
    """Return how a pair is added to a mapping in braces, as its last."""
    there = tuple(entries(text, node))
    place = there[-1].end if there else int(node.start_mark.index) + 1
    return TextEdit(place, place, f", {pair}" if there else pair)


def _outermost(entry: YamlEntry) -> YamlEntry:
    """Return the entry of the root that an entry is, or lies in."""
    return entry if entry.above is None else _outermost(entry.above)


def _shifted(line: str, by: int) -> str:
    """Return a line set in further, or less far."""
    if by >= 0:
        return f"{' ' * by}{line}" if line else line
    return line[min(-by, len(line) - len(line.lstrip(" "))) :]
