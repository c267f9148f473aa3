"""Reading a YAML file with the line of every value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from charts_py.spec.core_schema import NULL_TAG, CoreSchemaLoader
from charts_py.spec.fault import Fault, FieldPath, Mark, Problem
from charts_py.spec.yaml_depth import too_deep
from charts_py.spec.yaml_fault import UNREADABLE, yaml_fault
from charts_py.spec.yaml_reader import UnreadableError, Value, YamlReader


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
    text = file.read_bytes()
    if (deep := too_deep(text)) is not None:
        return _unread(Fault(Mark(shown_as, deep.line), Problem((), str(deep))))
    try:
        root = yaml.compose(text.decode(), CoreSchemaLoader)
        if root is None or root.tag == NULL_TAG:
            return Source(content={}, marks={(): Mark(shown_as, 1)})
        reader = YamlReader(shown_as)
        content = reader.root(root)
    except UNREADABLE as error:
        return _unread(yaml_fault(error, text, shown_as))
    except UnreadableError as error:
        return _unread(Fault(Mark(shown_as, error.line), Problem((), error.what, error.allowed)))
    return Source(content, reader.marks, tuple(reader.faults), reader.numbers)


def _unread(fault: Fault) -> Source:
    return Source(None, {(): fault.mark}, (fault,))
