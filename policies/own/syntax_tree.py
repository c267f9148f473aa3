"""An expression whose types were checked, as a tree.

Its nodes are those of https://github.com/google/cel-spec/blob/master/proto/cel/expr/syntax.proto
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal; of one that is not a string, nothing else is known."""

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
    """Those of the function that it may be, by what is known of its arguments."""
    arguments: Sequence[Node]
    """First, of a method, what it is called on."""


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """A list that is made."""

    type: bytes
    elements: Sequence[Node]
    has_optional: bool


@dataclass(frozen=True, slots=True)
class MapLiteral:
    """A map that is made, or a message."""

    type: bytes
    message: str
    """Name of the message; empty for a map."""
    keys: Sequence[Node]
    """As many as values; none of a message."""
    values: Sequence[Node]
    has_optional: bool


@dataclass(frozen=True, slots=True)
class Comprehension:
    """What a macro such as `all` stands for."""

    type: bytes
    element: str
    """Name of the variable that each element has."""
    second: str
    """Name of the second one; empty where there is none."""
    range: Node
    result_name: str
    """Name of what is gathered."""
    start: Node
    condition: Node
    step: Node
    result: Node


Node: TypeAlias = Constant | Name | Select | Call | ListLiteral | MapLiteral | Comprehension


def walk(root: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the text."""
    left = [root]
    while left:
        node = left.pop()
        yield node
        left += reversed(children(node))


def children(node: Node) -> Sequence[Node]:
    """Return the nodes that stand directly below one."""
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
