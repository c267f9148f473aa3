"""Fields that cluster files had once, what took their place, and placeholders of templates."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.fault import FieldPath, Problem, dotted

ANY = "*"
"""Matches every name and index."""
_NODES: Mapping[str, Any] = {"max": 1}
_POOL: Mapping[str, Any] = {"purpose": "training", "nodes": _NODES}
_QUOTA: Mapping[str, Any] = {"gpus": {"unknown": 0}, "cpu": 1, "memory": "1Gi", "storage": "1Gi"}
_NAMESPACE: Mapping[str, Any] = {"purpose": "training", "quota": _QUOTA}
_GITOPS: Mapping[str, Any] = {"repository": "https://unknown"}
_TEAM: Mapping[str, Any] = {
    "owner": "unknown@unknown",
    "costCenter": "unknown",
    "members": {},
    "priorities": ["unknown"],
    "namespaces": {"unknown": _NAMESPACE},
}
_EXCEPTION: Mapping[str, Any] = {
    "rule": "gpu-count",
    "namespace": "unknown",
    "reason": "not known",
    "owner": "unknown@unknown",
    "expires": "2000-01-01",
}
PLACEHOLDERS: Mapping[FieldPath, Any] = {
    ("provider",): "onprem",
    ("region",): "unknown",
    ("kubernetes",): "1.36",
    ("version",): "0.0.0",
    ("gitops",): _GITOPS,
    **{("gitops", name): value for name, value in _GITOPS.items()},
    ("pools",): {"unknown": _POOL},
    **{("pools", ANY, name): value for name, value in _POOL.items()},
    **{("pools", ANY, "nodes", name): value for name, value in _NODES.items()},
    ("pools", ANY, "zones", ANY): "unknown",
    **{("teams", ANY, name): value for name, value in _TEAM.items()},
    ("teams", ANY, "priorities", ANY): "unknown",
    **{("teams", ANY, "namespaces", ANY, name): value for name, value in _NAMESPACE.items()},
    **{("teams", ANY, "namespaces", ANY, "quota", name): value for name, value in _QUOTA.items()},
    ("policies", "exceptions", ANY): _EXCEPTION,
    **{("policies", "exceptions", ANY, name): value for name, value in _EXCEPTION.items()},
}
"""By path."""
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


def placeholder_at(path: FieldPath) -> Any:
    """Return the placeholder for a path; None where a value may be absent."""
    for pattern, value in PLACEHOLDERS.items():
        if len(pattern) == len(path) and all(
            expected in (ANY, step) for expected, step in zip(pattern, path, strict=True)
        ):
            return copy.deepcopy(value)
    return None
