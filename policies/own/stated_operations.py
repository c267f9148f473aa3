"""The operations that the expression of a fix states, as far as it states them literally."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from policies.own.syntax_tree import Call, Comprehension, Constant, ListLiteral, MapLiteral

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.own.syntax_tree import Node


@dataclass(frozen=True, slots=True)
class StatedText:
    """A text, or how one begins."""

    text: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class StatedOperation:
    """A map that is to be an operation."""

    members: Mapping[str, StatedText | None]
    """None for what is known only when it is evaluated."""


def stated_operations(node: Node) -> Iterator[StatedOperation]:
    """Yield the operations of an expression that returns a list of them."""
    match node:
        case ListLiteral(elements=nodes):
            pass
        case MapLiteral():
            yield from _operation(node)
            return
        case Call(function="_?_:_", arguments=(_, *nodes)):
            pass
        case Call(function="_+_" | "dyn", arguments=nodes):
            pass
        case Comprehension():
            nodes = [node.step]
        case _:
            return
    for each in nodes:
        yield from stated_operations(each)


def _operation(node: MapLiteral) -> Iterator[StatedOperation]:
    names = [_stated(key) for key in node.keys]
    if all(name is not None and name.is_whole for name in names):
        values = [_stated(value) for value in node.values]
        pairs = zip(names, values, strict=True)
        yield StatedOperation({name.text: value for name, value in pairs if name is not None})


def _stated(node: Node) -> StatedText | None:
    match node:
        case Constant(text=str(text)):
            return StatedText(text, is_whole=True)
        case Call(function="dyn" | "string", arguments=(inner,)):
            return _stated(inner)
        case Call(function="_+_", arguments=(start, _)):
            begins = _stated(start)
            return begins and StatedText(begins.text, is_whole=False)
    return None
