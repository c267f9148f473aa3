"""Reading a YAML file with the line of every value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from charts_py.cluster_file.core_schema import NULL_TAG, CoreSchemaLoader
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem
from charts_py.cluster_file.yaml_depth import too_deep
from charts_py.cluster_file.yaml_fault import QUOTES, UNREADABLE, yaml_fault
from charts_py.cluster_file.yaml_reader import UnreadableError, Value, YamlReader

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
