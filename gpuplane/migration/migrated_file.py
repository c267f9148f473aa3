"""Moves fields of one cluster file to their places in this version, and changes nothing else."""

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from charts_py.cluster_file.fault import Fault, FieldPath, Problem, SpecError, dotted, mark_at
from charts_py.cluster_file.source import Source, source_of
from charts_py.cluster_file.translation import Move, moves_in
from gpuplane.edits.edited_text import BYTE_ORDER_MARK, CHANGES_MORE
from gpuplane.edits.entry_edits import behind_comments, removal
from gpuplane.edits.text_edit import TextEdit, UneditableError, as_lines, edited, with_gap
from gpuplane.edits.written_value import style_of
from gpuplane.edits.yaml_entry import YamlEntry, entries, find_entry, root_of
from policies.document import value_at


@dataclass(frozen=True, slots=True)
class MigratedFile:
    """A cluster file, before and after its fields have moved."""

    file: Path
    before: bytes
    after: bytes
    """The same bytes where nothing moves, or a person has to decide."""
    moves: tuple[Move, ...] = ()
    """The fields that move, or would."""
    undecided: tuple[Fault, ...] = ()

    @property
    def is_changed(self) -> bool:
        return self.before != self.after

    @property
    def source(self) -> Source:
        return source_of(self.after, str(self.file))

    def left_alone(self, faults: Sequence[Fault]) -> "MigratedFile":
        return replace(self, after=self.before, undecided=(*self.undecided, *faults))

    def as_before(self, fault: Fault) -> Fault:
        """Return a fault of the file afterwards, at its line in the file before."""
        path = fault.problem.path
        for move in self.moves:
            if path[: len(move.to)] == move.to:
                path = (*move.path, *path[len(move.to) :])
        return replace(fault, mark=mark_at(path, source_of(self.before, str(self.file)).marks))

    def fault(self, move: Move, what: str, allowed: str | None) -> Fault:
        """Return a fault that says why a field does not move."""
        mark = source_of(self.before, str(self.file)).marks[move.path]
        return Fault(mark, Problem(move.path, what, allowed))


def migrate_file(file: Path, fleet: Source | None = None) -> MigratedFile:
    """Return a cluster file with its fields where they are now; `fleet` is laid under it.

    Raises SpecError with every fault where it cannot be read, and OSError.
    """
    before = file.read_bytes()
    source = source_of(before, str(file))
    if source.content is None or source.faults:
        raise SpecError(source.faults)
    moves = moves_in(source.content)
    unmoved = MigratedFile(file, before, before, moves)
    shared = {} if fleet is None or fleet.content is None else fleet.content
    if faults := [one for move in moves for one in _undecided(unmoved, move, source, shared)]:
        return unmoved.left_alone(faults)
    text = before.decode()
    head = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    return _moved(unmoved, source.content, head, text.removeprefix(head))


def _moved(file: MigratedFile, content: Mapping[str, Any], head: str, text: str) -> MigratedFile:
    """Move one field after the other.

    Where aliases share a field by an anchor, it moves in all of them at once.
    """
    now, remaining = content, file.moves
    while remaining:
        move, *_ = remaining
        try:
            text = _moved_text(text, move, value_at(now, move.path))
        except UneditableError as error:
            return file.left_alone([_by_hand(file, move, str(error))])
        now = source_of(text.encode(), str(file.file)).content or {}
        remaining = moves_in(now)
        if move in remaining:
            break
    if now != _moved_content(content, file.moves):
        return file.left_alone([_by_hand(file, move, CHANGES_MORE)])
    return replace(file, after=(head + text).encode())


def _moved_content(content: Mapping[str, Any], moves: Sequence[Move]) -> dict[str, Any]:
    moved: dict[Any, Any] = copy.deepcopy(dict(content))
    for move in moves:
        value = move.value(value_at(moved, move.path))
        _remove(moved, move.path)
        if value is not None:
            holder = moved
            for step in move.to[:-1]:
                holder = holder.setdefault(step, {})
            holder[str(move.to[-1])] = value
    return moved


def _undecided(
    file: MigratedFile, move: Move, source: Source, shared: Mapping[str, Any]
) -> Iterator[Fault]:
    value = value_at(source.content, move.path)
    if not move.has_value(value):
        allowed = ", ".join(map(str, move.field.values or ())).lower()
        shown = json.dumps(value, ensure_ascii=False)
        yield file.fault(move, f"{move.what}; {shown} is none of these", allowed)
    elif value_at(source.content, move.to) is not None:
        line = source.marks[move.to].line
        yield file.fault(move, f"{move.what}; line {line} states that as well", "one of the two")
    elif move.value(value) is None and (stated := value_at(shared, move.to)) is not None:
        what = f"{move.what}, but what clusters share states {stated}"
        yield file.fault(move, what, f"{dotted(move.to)} in its place")


def _by_hand(file: MigratedFile, move: Move, why: str) -> Fault:
    what = f"{move.what}, and cannot be moved there for you: {why}"
    return file.fault(move, what, "moving it by hand")


def _remove(content: dict[str, Any], path: FieldPath) -> None:
    """Remove a value, and the mappings that would be left empty."""
    holder = value_at(content, path[:-1])
    del holder[path[-1]]
    if not holder and path[:-1]:
        _remove(content, path[:-1])


def _moved_text(text: str, move: Move, content: Any) -> str:
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
    holder, node, depth = None, root_of(entry.text), 0
    while depth < len(to) - 1 and (found := find_entry(entry.text, to[: depth + 1])):
        holder, node, depth = found, found.value, depth + 1
    if not isinstance(node, yaml.MappingNode):
        raise UneditableError(f"{to[depth - 1]} is not a mapping")
    missing = tuple(map(str, to[depth:]))
    if node.flow_style:
        pair = _flow_pair(missing, value_text)
        there = tuple(entries(entry.text, node))
        place = there[-1].end if there else int(node.start_mark.index) + 1
        added = TextEdit(place, place, f", {pair}" if there else pair)
        return edited(entry.text, added, with_gap(entry.text, _removal(entry, taken=None)))
    return _put_into_block(entry, tuple(entries(entry.text, node, holder)), missing, value_text)


def _put_into_block(
    entry: YamlEntry, siblings: tuple[YamlEntry, ...], missing: tuple[str, ...], value_text: str
) -> str:
    """Put the entry behind those of a mapping; at the root, behind itself."""
    text, last = entry.text, siblings[-1]
    if last.above is None:
        last = entry
        while last.above is not None:
            last = last.above
    taken = None if entry.is_flow else entry.lines_with_comments
    lines = [f"{missing[-1]}{value_text}"]
    if taken is not None:
        start, end = taken
        own = text[start : entry.start] + lines[0] + text[entry.end : end]
        lines = own.rstrip("\r\n").replace("\r\n", "\n").split("\n")
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


def _removal(entry: YamlEntry, taken: tuple[int, int] | None) -> TextEdit:
    top = entry
    while top.above is not None and len(top.holder.value) == 1:
        top = top.above
    return removal(top, taken)


def _flow_pair(missing: tuple[str, ...], value_text: str) -> str:
    """Return an entry in braces, inside of the new mappings."""
    if "\n" in value_text:
        raise UneditableError("its value takes several lines, and its new place is in braces")
    pair = f"{missing[-1]}{value_text}"
    for name in reversed(missing[:-1]):
        pair = f"{name}: {{{pair}}}"
    return pair


def _shifted(line: str, by: int) -> str:
    if by >= 0:
        return f"{' ' * by}{line}" if line else line
    return line[min(-by, len(line) - len(line.lstrip(" "))) :]
