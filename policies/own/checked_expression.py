"""Reads what the evaluator knows of a compiled expression, which it serializes.

It is a message of those in
https://github.com/google/cel-spec/blob/master/proto/cel/expr/checked.proto and `syntax.proto`
beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.own.syntax_tree import (
    Call,
    Comprehension,
    Constant,
    ListLiteral,
    MapLiteral,
    Name,
    Node,
    Select,
)
from policies.own.wire_format import (
    Fields,
    Message,
    as_bytes,
    first,
    integer,
    messages,
    read_fields,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_LEVELS = 100
"""Of an expression; one that a person reads has about ten."""

_ANY_VALUE = 2
_REFERENCES, _TYPES, _EXPRESSION = 2, 3, 4
_KEY, _VALUE = 1, 2
_REFERENCE_NAME, _OVERLOADS = 1, 3
_ID, _CONSTANT, _NAME, _SELECT, _CALL, _LIST, _MAP, _COMPREHENSION = 2, 3, 4, 5, 6, 7, 8, 9
_STRING_VALUE = 6
_NAME_NAME = 1
_SELECT_OPERAND, _SELECT_FIELD = 1, 2
_CALL_TARGET, _CALL_FUNCTION, _CALL_ARGUMENTS = 1, 2, 3
_LIST_ELEMENTS, _LIST_OPTIONAL = 1, 2
_MAP_MESSAGE, _MAP_ENTRIES = 1, 2
_ENTRY_KEY, _ENTRY_VALUE, _ENTRY_OPTIONAL = 3, 4, 5
_ELEMENT, _RANGE, _RESULT_NAME, _START, _CONDITION, _STEP, _RESULT, _SECOND = range(1, 9)


class TooDeepError(ValueError):
    """An expression is nested more deeply than `MAX_LEVELS`."""


def read_checked(serialized: bytes) -> Node:
    """Read what `serialize` returns of an expression whose types were checked.

    Raises TooDeepError.
    """
    checked = read_fields(first(read_fields(serialized), _ANY_VALUE))
    reading = _Reading(_by_id(checked.get(_REFERENCES, ())), _by_id(checked.get(_TYPES, ())))
    return reading.read(first(checked, _EXPRESSION), MAX_LEVELS)


class _Reading:
    def __init__(self, references: Mapping[int, Message], types: Mapping[int, Message]) -> None:
        self._references = references
        self._types = types

    def read(self, expression: Message, levels: int) -> Node:
        if levels == 0:
            raise TooDeepError
        fields = read_fields(expression)
        identifier = integer(fields, _ID)
        reference = read_fields(self._references.get(identifier, b""))
        type_ = self._types.get(identifier, b"")
        kind = next(each for each in fields if each != _ID)
        return self._made(kind, type_, reference, read_fields(first(fields, kind)), levels - 1)

    def _made(self, kind: int, type_: bytes, reference: Fields, inner: Fields, levels: int) -> Node:
        if kind == _NAME:
            return Name(type_, text(inner, _NAME_NAME))
        # A variable whose name has a dot is written as a field is.
        if kind == _SELECT and (name := text(reference, _REFERENCE_NAME)):
            return Name(type_, name)
        if kind == _SELECT:
            (operand,) = self._each(inner, _SELECT_OPERAND, levels)
            return Select(type_, operand, text(inner, _SELECT_FIELD))
        if kind == _CALL:
            overloads = [each.decode() for each in messages(reference, _OVERLOADS)]
            arguments = [
                *self._each(inner, _CALL_TARGET, levels),
                *self._each(inner, _CALL_ARGUMENTS, levels),
            ]
            return Call(type_, text(inner, _CALL_FUNCTION), overloads, arguments)
        if kind == _LIST:
            elements = self._each(inner, _LIST_ELEMENTS, levels)
            return ListLiteral(type_, elements, bool(inner.get(_LIST_OPTIONAL)))
        if kind == _MAP:
            return self._map(type_, inner, levels)
        if kind == _COMPREHENSION:
            return self._comprehension(type_, inner, levels)
        return Constant(type_, text(inner, _STRING_VALUE) if _STRING_VALUE in inner else None)

    def _map(self, type_: bytes, inner: Fields, levels: int) -> Node:
        entries = [read_fields(each) for each in messages(inner, _MAP_ENTRIES)]
        return MapLiteral(
            type_,
            text(inner, _MAP_MESSAGE),
            [key for entry in entries for key in self._each(entry, _ENTRY_KEY, levels)],
            [value for entry in entries for value in self._each(entry, _ENTRY_VALUE, levels)],
            any(entry.get(_ENTRY_OPTIONAL) for entry in entries),
        )

    def _comprehension(self, type_: bytes, inner: Fields, levels: int) -> Node:
        def part(number: int) -> Node:
            return self.read(first(inner, number), levels)

        return Comprehension(
            type_,
            text(inner, _ELEMENT),
            text(inner, _SECOND),
            part(_RANGE),
            text(inner, _RESULT_NAME),
            part(_START),
            part(_CONDITION),
            part(_STEP),
            part(_RESULT),
        )

    def _each(self, fields: Fields, number: int, levels: int) -> list[Node]:
        return [self.read(each, levels) for each in messages(fields, number)]


def _by_id(entries: Sequence[int | bytes]) -> Mapping[int, Message]:
    members = (read_fields(as_bytes(entry)) for entry in entries)
    return {integer(entry, _KEY): first(entry, _VALUE) for entry in members}
