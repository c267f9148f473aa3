"""An expression as a typed tree, to find its faults in the cluster file.

The evaluator tells the tree only as a message of Protocol Buffers:
https://github.com/google/cel-spec/blob/master/proto/cel/expr/checked.proto and `syntax.proto`,
https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

MAX_LEVELS = 100
"""Levels of an expression; one that a person reads has about ten."""

_VARINT = 0
_SIZES = {1: 8, 5: 4}
"""Bytes of values of a fixed size, by their wire types."""


class TooDeepError(ValueError):
    """An expression is nested more deeply than `MAX_LEVELS`."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal; only the text of a string is known."""

    type: bytes
    text: str | None


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    type: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Select:
    """A field of a map: `operand.field`, or `has(operand.field)`."""

    type: bytes
    operand: Node
    field: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function or an operator."""

    type: bytes
    function: str
    overloads: Sequence[str]
    """The overloads that it may be, by what is known of its arguments."""
    arguments: Sequence[Node]
    """A method's first argument is what it is called on."""


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """A list that the expression makes."""

    type: bytes
    elements: Sequence[Node]
    has_optional: bool


@dataclass(frozen=True, slots=True)
class MapLiteral:
    """A map that the expression makes, or a message."""

    type: bytes
    message: str
    """Name of the message; empty for a map."""
    keys: Sequence[Node]
    """Keys, as many as values; a message has none."""
    values: Sequence[Node]
    has_optional: bool


@dataclass(frozen=True, slots=True)
class Comprehension:
    """A macro such as `all`, expanded."""

    type: bytes
    element: str
    """Name of the variable that each element has."""
    second: str
    """Name of the second one; empty where there is none."""
    range: Node
    result_name: str
    start: Node
    condition: Node
    step: Node
    result: Node


Node: TypeAlias = Constant | Name | Select | Call | ListLiteral | MapLiteral | Comprehension


def read_tree(serialized: bytes) -> Node:
    """Read what `serialize` returns of a compiled expression; raises TooDeepError."""
    checked = _Fields(_Fields(serialized).message(2))
    by_id = [
        {entry.integer(1): entry.message(2) for entry in map(_Fields, checked.messages(number))}
        for number in (2, 3)
    ]
    return _Reader(*by_id).read(checked.message(4), MAX_LEVELS)


def walk(root: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the text."""
    left = [root]
    while left:
        node = left.pop()
        yield node
        left += reversed(children(node))


def children(node: Node) -> Sequence[Node]:
    match node:
        case Select(operand=operand):
            return (operand,)
        case Call(arguments=arguments):
            return arguments
        case ListLiteral(elements=elements):
            return elements
        case MapLiteral(keys=keys, values=values):
            return (*keys, *values)
        case Comprehension():
            return (node.range, node.start, node.condition, node.step, node.result)
    return ()


class _Reader:
    """Reads `Expr` messages; the numbers are those of their fields."""

    def __init__(self, references: Mapping[int, bytes], types: Mapping[int, bytes]) -> None:
        self._references = references
        self._types = types

    def read(self, expression: bytes, levels: int) -> Node:
        if levels == 0:
            raise TooDeepError
        fields = _Fields(expression)
        identifier = fields.integer(2)
        reference = _Fields(self._references.get(identifier, b""))
        type_ = self._types.get(identifier, b"")
        kind = next(number for number in fields.values if number != 2)
        inner = _Fields(fields.message(kind))

        def each(number: int, of: _Fields = inner) -> list[Node]:
            return [self.read(message, levels - 1) for message in of.messages(number)]

        match kind:
            case 4:
                return Name(type_, inner.text(1))
            case 5 if name := reference.text(1):  # a variable whose name has a dot
                return Name(type_, name)
            case 5:
                (operand,) = each(1)
                return Select(type_, operand, inner.text(2))
            case 6:
                overloads = [message.decode() for message in reference.messages(3)]
                return Call(type_, inner.text(2), overloads, [*each(1), *each(3)])
            case 7:
                return ListLiteral(type_, each(1), 2 in inner.values)
            case 8:
                entries = [_Fields(message) for message in inner.messages(2)]
                keys, values = ([n for e in entries for n in each(at, e)] for at in (3, 4))
                optional = any(5 in entry.values for entry in entries)
                return MapLiteral(type_, inner.text(1), keys, values, optional)
            case 9:
                element, second, gathered = (inner.text(number) for number in (1, 8, 3))
                over, start, condition, step, result = (
                    node for number in (2, 4, 5, 6, 7) for node in each(number)
                )
                return Comprehension(
                    type_, element, second, over, gathered, start, condition, step, result
                )
        return Constant(type_, inner.text(6) if 6 in inner.values else None)


class _Fields:
    """The fields of a message of Protocol Buffers, by their numbers."""

    def __init__(self, message: bytes) -> None:
        self.values: dict[int, list[int | bytes]] = {}
        at = 0
        while at < len(message):
            tag, at = _varint(message, at)
            value: int | bytes
            size = _SIZES.get(tag & 7)
            if size is None:
                size, at = _varint(message, at)
            if tag & 7 == _VARINT:
                value = size
            else:
                value, at = message[at : at + size], at + size
            self.values.setdefault(tag >> 3, []).append(value)

    def messages(self, number: int) -> list[bytes]:
        return [value for value in self.values.get(number, ()) if isinstance(value, bytes)]

    def message(self, number: int) -> bytes:
        return next(iter(self.messages(number)), b"")

    def text(self, number: int) -> str:
        return self.message(number).decode()

    def integer(self, number: int) -> int:
        return next((value for value in self.values.get(number, ()) if isinstance(value, int)), 0)


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
