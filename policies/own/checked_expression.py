"""Reads what the evaluator knows of a compiled expression, which it serializes.

Only what is checked is read. It is a message of Protocol Buffers, of those in
https://github.com/google/cel-spec/blob/master/proto/cel/expr/checked.proto and `syntax.proto`
beside it; their encoding is https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

_Message: TypeAlias = bytes
_VARINT, _FIXED_64, _LENGTH, _FIXED_32 = 0, 1, 2, 5
_ANY_VALUE = 2
_REFERENCES, _TYPES, _EXPRESSION = 2, 3, 4
_KEY, _VALUE = 1, 2
_OVERLOADS = 3
_ID, _SELECT, _CALL, _LIST, _STRUCT, _COMPREHENSION = 2, 5, 6, 7, 8, 9
_SELECT_OPERAND = 1
_CALL_TARGET, _CALL_FUNCTION, _CALL_ARGUMENTS = 1, 2, 3
_LIST_ELEMENTS, _LIST_OPTIONAL = 1, 2
_STRUCT_NAME, _STRUCT_ENTRIES = 1, 2
_ENTRY_KEY, _ENTRY_VALUE, _ENTRY_OPTIONAL = 3, 4, 5
_COMPREHENSION_NAMES = (1, 8)
_COMPREHENSION_PARTS = (2, 4, 5, 6, 7)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function or an operator."""

    function: str
    overloads: Sequence[str]
    """Those of the function that it may be, by what is known of its arguments."""
    argument_types: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class CheckedExpression:
    """What is checked of an expression."""

    calls: Sequence[Call]
    names: Sequence[str]
    """Of the variables of its macros."""
    messages: Sequence[str]
    """Names of the messages that it makes."""
    literals: Sequence[Sequence[bytes]]
    """The types of the elements of each list, of the keys of each map, and of its values."""


def read_checked(serialized: bytes) -> CheckedExpression:
    """Read what `serialize` returns of an expression whose types were checked."""
    checked = _fields(_first(_fields(serialized), _ANY_VALUE))
    reading = _Reading(_by_id(checked.get(_REFERENCES, ())), _by_id(checked.get(_TYPES, ())))
    reading.read(_first(checked, _EXPRESSION))
    return CheckedExpression(reading.calls, reading.names, reading.messages, reading.literals)


class _Reading:
    """What has been read of an expression."""

    def __init__(self, references: Mapping[int, _Message], types: Mapping[int, _Message]) -> None:
        self._references = references
        self._types = types
        self.calls: list[Call] = []
        self.names: list[str] = []
        self.messages: list[str] = []
        self.literals: list[list[bytes]] = []

    def read(self, expression: _Message) -> None:
        """Read an expression and all that it consists of, however deep."""
        left = [expression]
        while left:
            fields = _fields(left.pop())
            for kind, read in (
                (_SELECT, self._select),
                (_CALL, self._call),
                (_LIST, self._list),
                (_STRUCT, self._struct),
                (_COMPREHENSION, self._comprehension),
            ):
                for inner in fields.get(kind, ()):
                    left += read(_number(fields, _ID), _fields(_bytes(inner)))

    def _select(self, _: int, fields: _Fields) -> Iterator[_Message]:
        yield from _messages(fields, _SELECT_OPERAND)

    def _call(self, identifier: int, fields: _Fields) -> Iterator[_Message]:
        arguments = [*_messages(fields, _CALL_TARGET), *_messages(fields, _CALL_ARGUMENTS)]
        reference = _fields(self._references.get(identifier, b""))
        overloads = [each.decode() for each in _messages(reference, _OVERLOADS)]
        types = [self._type_of(each) for each in arguments]
        self.calls.append(Call(_first(fields, _CALL_FUNCTION).decode(), overloads, types))
        yield from arguments

    def _list(self, _: int, fields: _Fields) -> Iterator[_Message]:
        elements = list(_messages(fields, _LIST_ELEMENTS))
        if not fields.get(_LIST_OPTIONAL):
            self.literals.append([self._type_of(each) for each in elements])
        yield from elements

    def _struct(self, _: int, fields: _Fields) -> Iterator[_Message]:
        self.messages += [name.decode() for name in _messages(fields, _STRUCT_NAME) if name]
        entries = [_fields(each) for each in _messages(fields, _STRUCT_ENTRIES)]
        keys = [key for entry in entries for key in _messages(entry, _ENTRY_KEY)]
        values = [value for entry in entries for value in _messages(entry, _ENTRY_VALUE)]
        self.literals.append([self._type_of(each) for each in keys])
        if not any(entry.get(_ENTRY_OPTIONAL) for entry in entries):
            self.literals.append([self._type_of(each) for each in values])
        yield from (*keys, *values)

    def _comprehension(self, _: int, fields: _Fields) -> Iterator[_Message]:
        for field in _COMPREHENSION_NAMES:
            self.names += [name.decode() for name in _messages(fields, field)]
        for field in _COMPREHENSION_PARTS:
            yield from _messages(fields, field)

    def _type_of(self, expression: _Message) -> bytes:
        return self._types.get(_number(_fields(expression), _ID), b"")


_Fields: TypeAlias = Mapping[int, Sequence[int | bytes]]
"""The values of each field of a message, by its number."""


def _fields(message: _Message) -> _Fields:
    found: dict[int, list[int | bytes]] = {}
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        field, wire_type = tag >> 3, tag & 7
        value: int | bytes
        if wire_type == _VARINT:
            value, at = _varint(message, at)
        else:
            size = {_FIXED_64: 8, _FIXED_32: 4}.get(wire_type)
            if size is None:
                size, at = _varint(message, at)
            value, at = message[at : at + size], at + size
        found.setdefault(field, []).append(value)
    return found


def _varint(message: _Message, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _by_id(entries: Sequence[int | bytes]) -> Mapping[int, _Message]:
    members = (_fields(_bytes(entry)) for entry in entries)
    return {_number(entry, _KEY): _first(entry, _VALUE) for entry in members}


def _messages(fields: _Fields, field: int) -> Iterator[_Message]:
    for value in fields.get(field, ()):
        yield _bytes(value)


def _first(fields: _Fields, field: int) -> _Message:
    return next(_messages(fields, field), b"")


def _number(fields: _Fields, field: int) -> int:
    value = next(iter(fields.get(field, ())), 0)
    assert isinstance(value, int)  # noqa: S101 # what the field is
    return value


def _bytes(value: int | bytes) -> _Message:
    assert isinstance(value, bytes)  # noqa: S101 # what the field is
    return value
