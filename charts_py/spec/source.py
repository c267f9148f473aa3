"""Reading a YAML file with the line of every value."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import yaml

from charts_py.spec.core_schema import MERGE_TAG, NULL_TAG, TAG, CoreSchemaLoader, Scalar, scalar_of
from charts_py.spec.fault import Fault, FieldPath, Mark, Problem

Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"
"""A YAML value as JSON would hold it."""

MAX_DEPTH = 32
"""Levels of nesting that are read; the model has fewer, and a recursive anchor never ends."""
MAX_VALUES = 100_000
"""Values that are read; nested anchors could make a small file hold billions."""

_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but for tabs and line breaks, which YAML holds escaped; those that turn the
direction of text, so that it reads as another (https://www.unicode.org/reports/tr9/); halves of
characters."""

_EXPRESSION = re.compile(rb"\s*(?:expression|messageExpression|apply):")
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


def read_source(file: Path, shown_as: str) -> Source:
    """Read a YAML mapping (YAML 1.2 core schema, so `no`, `on` and dates are strings).

    Invalid YAML, a root that is not a mapping and duplicate keys are returned as faults; an empty
    file is an empty mapping. Raises OSError where the file cannot be opened.
    """
    text = file.read_bytes()
    try:
        root = yaml.compose(text.decode(), CoreSchemaLoader)
        if root is None or root.tag == NULL_TAG:
            return Source(content={}, marks={(): Mark(shown_as, 1)})
        reader = _Reader(shown_as)
        content = reader.root(root)
    except (yaml.YAMLError, UnicodeDecodeError, _Unreadable) as error:
        line, what = _explained(error, text)
        mark = Mark(shown_as, line)
        problem = Problem((), what, _allowed(text, line))
        return Source(None, {(): mark}, (Fault(mark, problem),))
    return Source(content=content, marks=reader.marks, faults=tuple(reader.faults))


class _Unreadable(Exception):  # noqa: N818 - it never leaves this module
    """YAML that has no meaning as a cluster file."""

    def __init__(self, node: yaml.Node, what: str) -> None:
        super().__init__(what)
        self.line = _line_of(node)
        self.what = what


def _explained(error: Exception, text: bytes) -> tuple[int, str]:
    """Return the line and the reason of a failure to read."""
    if isinstance(error, _Unreadable):
        return error.line, error.what
    if isinstance(error, UnicodeDecodeError):
        line = text.count(b"\n", 0, error.start) + 1
        return line, f"invalid UTF-8: {error.reason} (byte {error.start})"
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        return (mark.line + 1 if mark else 1), f"invalid YAML: {error.problem or error.context}"
    if isinstance(error, yaml.reader.ReaderError):
        return text.count(b"\n", 0, error.position) + 1, f"invalid YAML: {error.reason}"
    return 1, f"invalid YAML: {error}"


def _allowed(text: bytes, line: int) -> str | None:
    """Return how an expression is written, where it is one that cannot be read."""
    lines = text.splitlines()[line - 1 : line]
    return _QUOTED if any(map(_EXPRESSION.match, lines)) else None


class _Reader:
    """Turns composed nodes into values and notes their lines."""

    def __init__(self, shown_as: str) -> None:
        self.marks: dict[FieldPath, Mark] = {}
        self.faults: list[Fault] = []
        self._shown_as = shown_as

    def root(self, node: yaml.Node) -> dict[str, Value]:
        """Return the content of a file; raise _Unreadable where it has no meaning."""
        if not isinstance(node, yaml.MappingNode):
            raise _Unreadable(node, "the file is not a mapping; allowed: fields with values")
        self.marks[()] = self._mark(node)
        return self._mapping(node, ())

    def _value(self, node: yaml.Node, path: FieldPath, mark: Mark) -> Value:
        if len(path) > MAX_DEPTH:
            raise _Unreadable(node, f"nested deeper than {MAX_DEPTH} levels")
        if len(self.marks) >= MAX_VALUES:
            raise _Unreadable(node, f"more than {MAX_VALUES} values")
        self.marks[path] = mark
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [
                self._value(item, (*path, index), self._mark(item))
                for index, item in enumerate(node.value)
            ]
        value = _scalar(node)
        self._check_text(value, path, mark)
        return value

    def _check_text(self, value: Value, path: FieldPath, mark: Mark) -> None:
        if isinstance(value, str) and (unseen := _UNSEEN.search(value)):
            what = (
                f"{json.dumps(value)} has the character U+{ord(unseen[0]):04X}, which nobody sees"
            )
            problem = Problem(path, what, "printable characters, tabs and line breaks")
            self.faults.append(Fault(mark, problem))

    def _mapping(self, node: yaml.MappingNode, path: FieldPath) -> dict[str, Value]:
        content: dict[str, Value] = {}
        for key, key_node, value_node in _pairs(node):
            mark = self._mark(key_node)
            self._check_text(key, path, mark)
            if key in content:
                first = self.marks[(*path, key)].line
                problem = Problem((*path, key), f"duplicate key; first on line {first}", "once")
                self.faults.append(Fault(mark, problem))
            else:
                content[key] = self._value(value_node, (*path, key), mark)
        return content

    def _mark(self, node: yaml.Node) -> Mark:
        return Mark(self._shown_as, _line_of(node))


def _pairs(node: yaml.MappingNode, depth: int = 0) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """Yield keys with their nodes and values, those of a merged anchor (`<<`) last."""
    if depth > MAX_DEPTH:
        raise _Unreadable(node, f"merged deeper than {MAX_DEPTH} levels")
    merged: list[yaml.MappingNode] = []
    own = set()
    for key, value in node.value:
        if key.tag == MERGE_TAG:
            merged += _merged_mappings(value)
        elif isinstance(key, yaml.ScalarNode):
            own.add(key.value)
            yield key.value, key, value
        else:
            raise _Unreadable(key, "a key that is not a string")
    for mapping in merged:
        for name, key, value in _pairs(mapping, depth + 1):
            if name not in own:
                own.add(name)
                yield name, key, value


def _merged_mappings(node: yaml.Node) -> Iterator[yaml.MappingNode]:
    for merged in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        if not isinstance(merged, yaml.MappingNode):
            raise _Unreadable(merged, "<< merges something that is not a mapping")
        yield merged


def _scalar(node: yaml.Node) -> Scalar:
    try:
        return scalar_of(node.tag, node.value)
    except KeyError:
        shown = node.tag.replace(TAG, "!!")
        raise _Unreadable(node, f'the tag {shown} has no meaning for "{node.value}"') from None
    except ValueError:
        shown = node.tag.replace(TAG, "!!")
        raise _Unreadable(node, f'"{node.value[:20]}" is not a valid {shown}') from None


def _line_of(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
