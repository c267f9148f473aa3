"""What is wrong with a cluster file, and where."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FieldPath = tuple[str | int, ...]
"""Keys and indices from the root of a cluster file to a value."""


def dotted(path: FieldPath) -> str:
    """Write a path as `pools.h100.zones[0]`; a name that contains a dot is quoted."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{_quoted(step)}" for step in path)
    return text.removeprefix(".")


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else f'"{name}"'


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A line of a file; lines count from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault before its line is known."""

    path: FieldPath
    what: str
    allowed: str | None = None
    nearest: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a cluster file: `file:line: path: what; allowed; nearest`."""

    mark: Mark
    problem: Problem

    def __str__(self) -> str:
        parts = [self.problem.what]
        if self.problem.allowed is not None:
            parts.append(f"allowed: {self.problem.allowed}")
        if self.problem.nearest:
            parts.append(f"nearest: {', '.join(self.problem.nearest)}")
        place = f"{dotted(self.problem.path)}: " if self.problem.path else ""
        return f"{self.mark}: {place}{'; '.join(parts)}"


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
