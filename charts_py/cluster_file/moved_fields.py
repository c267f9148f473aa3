"""Fields that cluster files had once, and what took their place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.fault import FieldPath, Problem, dotted
from charts_py.cluster_file.placeholders import ANY

MIGRATE = "gpuplane migrate"
"""The command that moves them."""


@dataclass(frozen=True, slots=True)
class MovedField:
    """A field that cluster files had once, and what took its place."""

    path: FieldPath
    """With `ANY` for names that the cluster file chooses."""
    to: FieldPath
    """With `ANY` for the same names."""
    values: Mapping[Any, str | None] | None = None
    """What its values are called there, None where that is the default; without it, the same."""

    def places(self, content: Any) -> Iterator["Move"]:
        """Yield where content has it."""
        for names in _names(content, self.path):
            yield Move(self, _filled(self.path, names), _filled(self.to, names))


@dataclass(frozen=True, slots=True)
class Move:
    """A field that moves within one file."""

    field: MovedField
    path: FieldPath
    to: FieldPath

    @property
    def problem(self) -> Problem:
        """What is wrong with a file that has it."""
        return Problem(self.path, f"{self.what}; run {MIGRATE}")

    @property
    def what(self) -> str:
        """Where it has moved, and what its values are called there."""
        names = (
            f"{_shown(value)} is {'the default' if name is None else name}"
            for value, name in (self.field.values or {}).items()
        )
        there = " and ".join(names)
        return f"has moved to {dotted(self.to)}{f', where {there}' if there else ''}"

    def has_value(self, value: Any) -> bool:
        """Whether its value is one that there is at the new place as well."""
        values = self.field.values
        return values is None or (isinstance(value, (bool, str)) and value in values)

    def value(self, value: Any) -> Any:
        """Return what its value is called there; None where it is the default."""
        return value if self.field.values is None else self.field.values[value]


_INSTANCE_TYPE = ("hardware", "instanceTypes", ANY, ANY)

MOVED_FIELDS: Sequence[MovedField] = (
    MovedField(
        ("webhook", "enabled"), ("policies", "admission"), {True: None, False: "in-tree-only"}
    ),
    MovedField(("networkPolicyEngine",), ("network", "policyEngine")),
    MovedField(("apiServer",), ("network", "apiServer")),
    MovedField((*_INSTANCE_TYPE, "rdma"), (*_INSTANCE_TYPE, "interconnect")),
    MovedField((*_INSTANCE_TYPE, "rdmaInterfaces"), (*_INSTANCE_TYPE, "interconnectInterfaces")),
    MovedField((*_INSTANCE_TYPE, "rdmaFirstCard"), (*_INSTANCE_TYPE, "interconnectFirstCard")),
)


def moves_in(content: Any) -> tuple[Move, ...]:
    """Return what has moved of the content of a file."""
    return tuple(move for field in MOVED_FIELDS for move in field.places(content))


def move_of(path: FieldPath) -> Move | None:
    """Return where the field at a path has moved, or None where it is none that there was."""
    content: Any = None
    for step in reversed(path):
        content = {step: content}
    return next((move for move in moves_in(content) if move.path == path), None)


def _names(content: Any, path: FieldPath) -> Iterator[tuple[str | int, ...]]:
    """Yield the names that stand for `ANY` wherever content has the path."""
    if not path:
        yield ()
    elif isinstance(content, Mapping):
        for key in content if path[0] == ANY else {path[0]} & content.keys():
            own = (key,) if path[0] == ANY else ()
            yield from ((*own, *names) for names in _names(content[key], path[1:]))


def _filled(path: FieldPath, names: Sequence[str | int]) -> FieldPath:
    remaining = iter(names)
    return tuple(next(remaining) if step == ANY else step for step in path)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
