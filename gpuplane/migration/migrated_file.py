"""One cluster file, before and after its fields have moved."""

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from charts_py.cluster_file.fault import Fault, FieldPath, Problem, SpecError, dotted, mark_at
from charts_py.cluster_file.moved_fields import Move, moves_in
from charts_py.cluster_file.source import Source, source_of
from gpuplane.edits.text_edit import UneditableError
from gpuplane.migration.moved_text import moved_text

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class MigratedFile:
    """A cluster file, before and after its fields have moved."""

    file: Path
    before: bytes
    after: bytes
    """The same where nothing moves, or a person has to decide."""
    moves: tuple[Move, ...] = ()
    """What moves, or would."""
    undecided: tuple[Fault, ...] = ()
    """What a person has to decide first."""

    @property
    def is_changed(self) -> bool:
        """Whether it is to be written."""
        return self.before != self.after

    @property
    def source(self) -> Source:
        """What is read of it afterwards."""
        return source_of(self.after, str(self.file))

    def left_alone(self, faults: Sequence[Fault]) -> "MigratedFile":
        """Return it as it was, for what a person has to decide."""
        return replace(self, after=self.before, undecided=(*self.undecided, *faults))

    def as_before(self, fault: Fault) -> Fault:
        """Return a fault of the file afterwards at the line of the file as it is."""
        path = fault.problem.path
        for move in self.moves:
            if path[: len(move.to)] == move.to:
                path = (*move.path, *path[len(move.to) :])
        return replace(fault, mark=mark_at(path, source_of(self.before, str(self.file)).marks))

    def fault(self, move: Move, what: str, allowed: str | None) -> Fault:
        """Return why a field of it does not move."""
        mark = source_of(self.before, str(self.file)).marks[move.path]
        return Fault(mark, Problem(move.path, what, allowed))


def migrate_file(file: Path, fleet: Source | None = None) -> MigratedFile:
    """Return a cluster file with its fields where they are now; `fleet` is what it is laid over.

    Raises SpecError where it cannot be read, with every fault of it, and OSError.
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
    head = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
    return _moved(unmoved, source.content, head, text.removeprefix(head))


def _moved(file: MigratedFile, content: Mapping[str, Any], head: str, text: str) -> MigratedFile:
    """Return the file with one field moved after the other.

    Where aliases share a field by an anchor, it moves in all of them at once.
    """
    now, remaining = content, file.moves
    while remaining:
        move, *_ = remaining
        try:
            text = moved_text(text, move, _value_at(now, move.path))
        except UneditableError as error:
            return file.left_alone([_by_hand(file, move, str(error))])
        now = source_of(text.encode(), str(file.file)).content or {}
        remaining = moves_in(now)
        if move in remaining:
            break
    if now != moved_content(content, file.moves):
        return file.left_alone([_by_hand(file, move, "something else would change with it")])
    return replace(file, after=(head + text).encode())


def moved_content(content: Mapping[str, Any], moves: Sequence[Move]) -> dict[str, Any]:
    """Return the content of a file with fields at their new places."""
    moved: dict[Any, Any] = copy.deepcopy(dict(content))
    for move in moves:
        value = move.value(_value_at(moved, move.path))
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
    value = _value_at(source.content, move.path)
    if not move.has_value(value):
        allowed = ", ".join(map(str, move.field.values or ())).lower()
        shown = json.dumps(value, ensure_ascii=False)
        yield file.fault(move, f"{move.what}; {shown} is none of these", allowed)
    elif _value_at(source.content, move.to) is not None:
        line = source.marks[move.to].line
        yield file.fault(move, f"{move.what}; line {line} states that as well", "one of the two")
    elif move.value(value) is None and (stated := _value_at(shared, move.to)) is not None:
        what = f"{move.what}, but what clusters share states {stated}"
        yield file.fault(move, what, f"{dotted(move.to)} in its place")


def _by_hand(file: MigratedFile, move: Move, why: str) -> Fault:
    what = f"{move.what}, and cannot be moved there for you: {why}"
    return file.fault(move, what, "moving it by hand")


def _value_at(content: Any, path: FieldPath) -> Any:
    """Return the value at a path, or None."""
    for step in path:
        if not isinstance(content, Mapping) or step not in content:
            return None
        content = content[step]
    return content


def _remove(content: dict[str, Any], path: FieldPath) -> None:
    """Remove a value, and the mappings that would be left empty."""
    holder = _value_at(content, path[:-1])
    del holder[path[-1]]
    if not holder and path[:-1]:
        _remove(content, path[:-1])
