"""What is wrong with a cluster file, where, and the words of it: counts, and types of values."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class RenderError(Exception):
    """Why a cluster cannot be rendered; the message names cluster, culprit and remedy."""


_CONSONANT_AND_Y = re.compile(r"[^aeiou]y")
_STRING_TYPES = ("string", "date")
FieldPath = tuple[str | int, ...]
"""Keys and indices from the root of a cluster file to a value."""


def dotted(path: FieldPath) -> str:
    """Write a path as `pools.h100.zones[0]`.

    A name that contains a dot is quoted, and has escapes for what nobody sees.
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{_quoted(step)}" for step in path)
    return text.removeprefix(".")


def _quoted(name: str) -> str:
    if re.fullmatch(r"[\w-]+", name):
        return name
    return f'"{name}"' if name.isprintable() else json.dumps(name)


class Mark(NamedTuple):
    """A line of a file, or a place on it; lines and columns count from 1."""

    file: str
    line: int
    """0 where there is no file: then `file` names what stands in its place."""
    column: int = 0
    """0 where the line says enough."""

    def __str__(self) -> str:
        if not self.line:
            return self.file
        column = f":{self.column}" if self.column else ""
        return f"{self.file}:{self.line}{column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault before its line is known."""

    path: FieldPath
    what: str
    allowed: str | None = None
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [self.what]
        if self.allowed is not None:
            parts.append(f"allowed: {self.allowed}")
        if self.nearest:
            parts.append(f"nearest: {', '.join(self.nearest)}")
        place = f"{dotted(self.path)}: " if self.path else ""
        return f"{place}{'; '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a cluster file: `file:line: path: what; allowed; nearest`."""

    mark: Mark
    problem: Problem

    def __str__(self) -> str:
        return f"{self.mark}: {self.problem}"


def mark_at(path: FieldPath, marks: Mapping[FieldPath, Mark]) -> Mark:
    """Return the mark of a value, or of the mapping or list that should hold it.

    The root of a file always has one.
    """
    while path not in marks:
        path = path[:-1]
    return marks[path]


class SpecError(Exception):
    """Every fault of the cluster files, one per line, in the order of the files.

    What is wrong with fleet.yaml is wrong for every cluster; it is reported once.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        unique = {str(fault): fault for fault in faults}
        self.faults = tuple(sorted(unique.values(), key=lambda fault: (fault.mark, str(fault))))
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type["SpecError"], tuple[tuple[Fault, ...]]]:
        """Let the error be pickled to another process; its message alone would not restore it."""
        return type(self), (self.faults,)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which is in the plural unless there is one: `2 entries`."""
    is_irregular = _CONSONANT_AND_Y.fullmatch(noun[-2:]) is not None
    plural = f"{noun[:-1]}ies" if is_irregular else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"


def type_of(value: Any, expected: str) -> str:
    """Describe the type of a value; where a string is expected, ask for quotes."""
    if value is None:
        return "no value is given"
    if isinstance(value, (dict, list)):
        return f"a {'mapping' if isinstance(value, dict) else 'list'} is given"
    if isinstance(value, str):
        return f'"{value}" {"has the wrong format" if expected in _STRING_TYPES else "is a string"}'
    shown = str(value).lower()
    kind = "a boolean" if isinstance(value, bool) else "a number"
    return f"{shown} is {kind} in YAML; quote it" if expected == "string" else f"{shown} is {kind}"
