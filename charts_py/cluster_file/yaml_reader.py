"""From the nodes of YAML (1.2, its core schema) to the values of a cluster file, with lines."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, TypeAlias

import yaml

from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem

TAG = "tag:yaml.org,2002:"
"""Prefix of the tags of YAML's own types."""
MERGE_TAG = f"{TAG}merge"
NULL_TAG = f"{TAG}null"
Scalar = str | int | float | bool | None


class CoreSchemaLoader(yaml.CSafeLoader):
    """Resolves plain scalars by the core schema (https://yaml.org/spec/1.2.2/#103-core-schema).

    Infinity and not-a-number are left out: no field could hold them.
    """

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {  # type: ignore[misc]  # the stubs declare it on the instance
        first: [
            (NULL_TAG, re.compile(r"^(?:~|null|Null|NULL|)$")),
            (f"{TAG}bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")),
            (f"{TAG}int", re.compile(r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$")),
            (
                f"{TAG}float",
                re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"),
            ),
            (MERGE_TAG, re.compile(r"^<<$")),
        ]
        for first in ("", *"~nNtTfF+-.0123456789<")
    }


def _whole_number(text: str) -> int:
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    return int(text, base)


def _number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


_SCALARS: Mapping[str, Callable[[str], Scalar]] = {
    NULL_TAG: lambda _: None,
    f"{TAG}bool": lambda text: {"true": True, "false": False}[text.lower()],
    f"{TAG}int": _whole_number,
    f"{TAG}float": _number,
    f"{TAG}str": str,
}
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"
"""A YAML value as JSON would hold it."""
MAX_DEPTH = 32
"""Levels of nesting that are read; the model has fewer, and a recursive anchor never ends."""
MAX_VALUES = 100_000
"""Values that are read; nested anchors could make a small file hold billions."""
MAX_CHARACTERS = 10_000_000
"""Characters of all keys and values; a long one may stand behind each of many aliases."""
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but for tabs and line breaks, which YAML holds escaped; those that turn the
direction of text, so that it reads as another (https://www.unicode.org/reports/tr9/); halves of
characters."""
_UNSEEN_IN_KEYS = re.compile("[\u00a0\u00ad\u2000-\u200f\u202f\u2060\u3000\ufeff]")
"""Spaces other than the usual one, which indent nothing, and characters without a width."""
_TAGS: Mapping[type[yaml.Node], str] = {
    yaml.MappingNode: f"{TAG}map",
    yaml.SequenceNode: f"{TAG}seq",
}
_LEADING_ZERO = re.compile("[-+]?0[0-9]+")


class UnreadableError(Exception):
    """YAML that has no meaning as a cluster file, and its line."""

    def __init__(self, node: yaml.Node, what: str, allowed: str | None = None) -> None:
        super().__init__(what)
        self.line = _line_of(node)
        self.what = what
        self.allowed = allowed


class YamlReader:
    """Turns composed nodes into values and notes their lines."""

    def __init__(self, shown_as: str) -> None:
        self.marks: dict[FieldPath, Mark] = {}
        self.faults: list[Fault] = []
        self.numbers: dict[FieldPath, str] = {}
        self._shown_as = shown_as
        self._visited = 0
        """Values so far, also those of mappings that are merged, each time that they are."""
        self._characters = 0

    def root(self, node: yaml.Node) -> dict[str, Value]:
        """Return the content of a file; raise UnreadableError where it has no meaning."""
        if not isinstance(node, yaml.MappingNode):
            raise UnreadableError(node, "the file is not a mapping", "fields with values")
        self.marks[()] = self._mark(node)
        self._check_tag(node, (), self.marks[()])
        return self._mapping(node, ())

    def _value(self, node: yaml.Node, path: FieldPath, mark: Mark) -> Value:
        if len(path) > MAX_DEPTH:
            raise UnreadableError(node, f"nested deeper than {MAX_DEPTH} levels")
        self.marks[path] = mark
        self._check_tag(node, path, mark)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            self._visit(node)
            return [
                self._value(item, (*path, index), self._mark(item))
                for index, item in enumerate(node.value)
            ]
        self._count_characters(node)
        try:
            value = _scalar(node)
        except ValueError:
            # The text, whose own fault is not reported beside this one.
            value = str(node.value)
            self._add(path, mark, f'"{value[:20]}" is not a valid {_shown_tag(node)}')
        self._check_text(value, path, mark)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.numbers[path] = node.value
            if _LEADING_ZERO.fullmatch(node.value):
                what = f"{node.value} begins with a zero, which some readers of YAML take for octal"
                allowed = f'{int(node.value)} as a number, "{node.value}" in quotes as text'
                self._add(path, mark, what, allowed)
        return value

    def _visit(self, node: yaml.CollectionNode) -> None:
        """Count the values of a collection; raise UnreadableError where they are too many."""
        self._visited += len(node.value) or 1
        if self._visited > MAX_VALUES:
            raise UnreadableError(node, f"more than {MAX_VALUES} values")

    def _count_characters(self, node: yaml.Node) -> None:
        self._characters += len(node.value)
        if self._characters > MAX_CHARACTERS:
            raise UnreadableError(node, f"more than {MAX_CHARACTERS} characters")

    def _add(self, path: FieldPath, mark: Mark, what: str, allowed: str | None = None) -> None:
        self.faults.append(Fault(mark, Problem(path, what, allowed)))

    def _check_tag(self, node: yaml.Node, path: FieldPath, mark: Mark) -> None:
        """Add a fault for a mapping or a list that a tag makes something else of."""
        tag = _TAGS.get(type(node), node.tag)
        if node.tag not in (tag, "!"):
            self._add(path, mark, f"the tag {_shown_tag(node)} has no meaning here", "no tag")

    def _check_text(self, value: Value, path: FieldPath, mark: Mark) -> None:
        if isinstance(value, str) and (unseen := _UNSEEN.search(value)):
            what = (
                f"{json.dumps(value)} has the character U+{ord(unseen[0]):04X}, which nobody sees"
            )
            self._add(path, mark, what, "printable characters, tabs and line breaks")

    def _mapping(self, node: yaml.MappingNode, path: FieldPath) -> dict[str, Value]:
        content: dict[str, Value] = {}
        for key, key_node, value_node in self._pairs(node):
            at, mark = (*path, key), self._mark(key_node)
            self._count_characters(key_node)
            self._check_text(key, at, mark)
            if unseen := _UNSEEN_IN_KEYS.search(key):
                what = f"the key has the character U+{ord(unseen[0]):04X}"
                self._add(at, mark, what, "letters, digits and signs")
            if key in content:
                self._add(at, mark, f"duplicate key; first on line {self.marks[at].line}", "once")
            else:
                content[key] = self._value(value_node, at, mark)
        return content

    def _pairs(
        self, node: yaml.MappingNode, depth: int = 0
    ) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
        """Yield keys with their nodes and values, those of a merged anchor (`<<`) last."""
        if depth > MAX_DEPTH:
            raise UnreadableError(node, f"merged deeper than {MAX_DEPTH} levels")
        self._visit(node)
        merged: list[yaml.MappingNode] = []
        own = set()
        for key, value in node.value:
            if key.tag == MERGE_TAG:
                merged += _merged_mappings(value)
            elif isinstance(key, yaml.ScalarNode):
                own.add(key.value)
                yield key.value, key, value
            else:
                allowed = "quotes around it; templates ({{ }}) are not filled in"
                raise UnreadableError(key, "a key that is not a string", allowed)
        for mapping in merged:
            for name, key, value in self._pairs(mapping, depth + 1):
                if name not in own:
                    own.add(name)
                    yield name, key, value

    def _mark(self, node: yaml.Node) -> Mark:
        return Mark(self._shown_as, _line_of(node))


def _merged_mappings(node: yaml.Node) -> Iterator[yaml.MappingNode]:
    for merged in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        if not isinstance(merged, yaml.MappingNode):
            what = "<< merges what is no mapping"
            raise UnreadableError(merged, what, "an alias of one, or a list of them")
        yield merged


def _scalar(node: yaml.Node) -> Scalar:
    """Return a value; raise ValueError for text that its tag does not allow."""
    try:
        return scalar_of(node.tag, node.value)
    except KeyError:
        what = f'the tag {_shown_tag(node)} has no meaning for "{node.value}"'
        raise UnreadableError(node, what, "no tag, or quotes around the whole value") from None


def _shown_tag(node: yaml.Node) -> str:
    return str(node.tag).replace(TAG, "!!")


def _line_of(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def scalar_of(tag: str, text: str) -> Scalar:
    """Return the value of a scalar.

    Raises KeyError for a tag that the core schema lacks, and ValueError for text that its tag does
    not allow, or for a number that no field could hold.
    """
    return _SCALARS[tag](text)
