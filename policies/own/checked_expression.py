"""Reads what the evaluator knows of a compiled expression, which it serializes.

It is one of the messages of `message_fields`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.own import message_fields as at
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


class TooDeepError(ValueError):
    """An expression is nested more deeply than `MAX_LEVELS`."""


def read_checked(serialized: bytes) -> Node:
    """Read what `serialize` returns of an expression whose types were checked.

    Raises TooDeepError.
    """
    checked = read_fields(first(read_fields(serialized), at.ANY_VALUE))
    reading = _Reading(_by_id(checked.get(at.REFERENCES, ())), _by_id(checked.get(at.TYPES, ())))
    return reading.read(first(checked, at.EXPRESSION), MAX_LEVELS)


class _Reading:
    def __init__(self, references: Mapping[int, Message], types: Mapping[int, Message]) -> None:
        self._references = references
        self._types = types

    def read(self, expression: Message, levels: int) -> Node:
        if levels == 0:
            raise TooDeepError
        fields = read_fields(expression)
        identifier = integer(fields, at.ID)
        reference = read_fields(self._references.get(identifier, b""))
        type_ = self._types.get(identifier, b"")
        kind = next(each for each in fields if each != at.ID)
        return self._made(kind, type_, reference, read_fields(first(fields, kind)), levels - 1)

    def _made(self, kind: int, type_: bytes, reference: Fields, inner: Fields, levels: int) -> Node:
        if kind == at.NAME:
            return Name(type_, text(inner, at.NAME_NAME))
        # A variable whose name has a dot is written as a field is.
        if kind == at.SELECT and (name := text(reference, at.REFERENCE_NAME)):
            return Name(type_, name)
        if kind == at.SELECT:
            (operand,) = self._each(inner, at.SELECT_OPERAND, levels)
            return Select(type_, operand, text(inner, at.SELECT_FIELD))
        if kind == at.CALL:
            overloads = [each.decode() for each in messages(reference, at.OVERLOADS)]
            arguments = [
                *self._each(inner, at.CALL_TARGET, levels),
                *self._each(inner, at.CALL_ARGUMENTS, levels),
            ]
            return Call(type_, text(inner, at.CALL_FUNCTION), overloads, arguments)
        if kind == at.LIST:
            elements = self._each(inner, at.LIST_ELEMENTS, levels)
            return ListLiteral(type_, elements, bool(inner.get(at.LIST_OPTIONAL)))
        if kind == at.MAP:
            return self._map(type_, inner, levels)
        if kind == at.COMPREHENSION:
            return self._comprehension(type_, inner, levels)
        return Constant(type_, text(inner, at.STRING_VALUE) if at.STRING_VALUE in inner else None)

    def _map(self, type_: bytes, inner: Fields, levels: int) -> Node:
        entries = [read_fields(each) for each in messages(inner, at.MAP_ENTRIES)]
        return MapLiteral(
            type_,
            text(inner, at.MAP_MESSAGE),
            [key for entry in entries for key in self._each(entry, at.ENTRY_KEY, levels)],
            [value for entry in entries for value in self._each(entry, at.ENTRY_VALUE, levels)],
            any(entry.get(at.ENTRY_OPTIONAL) for entry in entries),
        )

    def _comprehension(self, type_: bytes, inner: Fields, levels: int) -> Node:
        def part(number: int) -> Node:
            return self.read(first(inner, number), levels)

        return Comprehension(
            type_,
            text(inner, at.ELEMENT),
            text(inner, at.SECOND),
            part(at.RANGE),
            text(inner, at.RESULT_NAME),
            part(at.START),
            part(at.CONDITION),
            part(at.STEP),
            part(at.RESULT),
        )

    def _each(self, fields: Fields, number: int, levels: int) -> list[Node]:
        return [self.read(each, levels) for each in messages(fields, number)]


def _by_id(entries: Sequence[int | bytes]) -> Mapping[int, Message]:
    members = (read_fields(as_bytes(entry)) for entry in entries)
    return {integer(entry, at.KEY): first(entry, at.VALUE) for entry in members}
