"""Reading a YAML file with the line of every value, and laying it over what the fleet shares."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem
from charts_py.cluster_file.yaml_fault import QUOTES, UNREADABLE, yaml_fault
from charts_py.cluster_file.yaml_reader import (
    NULL_TAG,
    CoreSchemaLoader,
    UnreadableError,
    Value,
    YamlReader,
)
from charts_py.cluster_file.yaml_stop import too_deep
from policies.document import value_at

Kept = TypeVar("Kept")
_EXPRESSION = re.compile(rb"[\s-]*(?:expression|messageExpression|apply):")
"""Begins a line with a field that holds CEL."""
_QUOTED = "CEL in single quotes, or on the lines below >-"
"""Quotes, braces, an exclamation mark, and a colon with a space have a meaning of their own."""


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a YAML file, and the position of each value."""

    content: dict[str, Value] | None
    """None where the file could not be read, which is then its only fault."""
    marks: Mapping[FieldPath, Mark]
    faults: tuple[Fault, ...] = ()
    numbers: Mapping[FieldPath, str] = field(default_factory=dict)
    """Every number as it is written, such as `1.30`, which has the value 1.3."""


def read_source(file: Path, shown_as: str) -> Source:
    """Read a YAML mapping (YAML 1.2 core schema, so `no`, `on` and dates are strings).

    Invalid YAML, a root that is not a mapping, duplicate keys, tags and numbers that other readers
    of YAML take for another are returned as faults; an empty file is an empty mapping. Raises
    OSError where the file cannot be opened.
    """
    return source_of(file.read_bytes(), shown_as)


def source_of(text: bytes, shown_as: str) -> Source:
    """Read a YAML mapping as `read_source` does, from what a file holds."""
    if (deep := too_deep(text)) is not None:
        return _unread(Fault(Mark(shown_as, deep.line), Problem((), str(deep))))
    try:
        root = yaml.compose(text.decode(), CoreSchemaLoader)
        if root is None or root.tag == NULL_TAG:
            return Source(content={}, marks={(): Mark(shown_as, 1)})
        reader = YamlReader(shown_as)
        content = reader.root(root)
    except UNREADABLE as error:
        return _unread(_with_quoted_cel(yaml_fault(error, text, shown_as), text))
    except UnreadableError as error:
        fault = Fault(Mark(shown_as, error.line), Problem((), error.what, error.allowed))
        return _unread(_with_quoted_cel(fault, text))
    return Source(content, reader.marks, tuple(reader.faults), reader.numbers)


def _unread(fault: Fault) -> Source:
    return Source(None, {(): fault.mark}, (fault,))


def _with_quoted_cel(fault: Fault, text: bytes) -> Fault:
    """Return how an expression is written, where quotes would make it one."""
    allowed = fault.problem.allowed
    lines = text.splitlines()[fault.mark.line - 1 : fault.mark.line]
    if not any(map(_EXPRESSION.match, lines)) or not (allowed is None or QUOTES in allowed):
        return fault
    return replace(fault, problem=replace(fault.problem, allowed=_QUOTED))


def lay_over(shared: Source, own: Source) -> Source:
    """Return both as one: mappings are merged key by key, everything else is replaced as a whole.

    Each value keeps the line of the file that it comes from. What the fleet shares is a fault where
    it is not a mapping and a cluster has one: the whole value would go unread.
    """
    if shared.content is None or own.content is None:
        return Source(None, {**shared.marks, **own.marks}, (*shared.faults, *own.faults))
    replaced: set[FieldPath] = set()
    content = _merged(shared.content, own.content, (), replaced)
    unread = _unread_of_fleet(shared, own.content, replaced)
    return Source(
        content,
        {**_kept(shared.marks, replaced), **own.marks},
        (*shared.faults, *own.faults, *unread),
        {**_kept(shared.numbers, replaced), **own.numbers},
    )


def _kept(shared: Mapping[FieldPath, Kept], replaced: Set[FieldPath]) -> dict[FieldPath, Kept]:
    """Return what stands at paths that no cluster has replaced."""
    return {
        path: value
        for path, value in shared.items()
        if not any(path[:length] in replaced for length in range(1, len(path) + 1))
    }


def _unread_of_fleet(
    shared: Source, own: Mapping[str, Any], replaced: Iterable[FieldPath]
) -> Iterator[Fault]:
    for path in replaced:
        if path in shared.marks and isinstance(value_at(own, path), Mapping):
            what = _shape(value_at(shared.content, path))
            problem = Problem(path, f"{what} is given, and a mapping in a cluster", "a mapping")
            yield Fault(shared.marks[path], problem)


def _shape(value: Any) -> str:
    if value is None:
        return "no value"
    return "a list" if isinstance(value, list) else "a single value"


def _merged(
    shared: Mapping[str, Any], own: Mapping[str, Any], path: FieldPath, replaced: set[FieldPath]
) -> dict[str, Any]:
    merged = dict(shared)
    for key, value in own.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = _merged(below, value, (*path, key), replaced)
        else:
            replaced.add((*path, key))
            merged[key] = value
    return merged
