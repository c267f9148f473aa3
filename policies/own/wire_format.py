"""Reads and writes messages of Protocol Buffers, field by field.

https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Message: TypeAlias = bytes
Fields: TypeAlias = Mapping[int, Sequence[int | bytes]]
"""The values of each field of a message, by its number."""

_VARINT, _FIXED_64, _LENGTH, _FIXED_32 = 0, 1, 2, 5
_SIZES = {_FIXED_64: 8, _FIXED_32: 4}


def read_fields(message: Message) -> Fields:
    """Return the fields of a message."""
    found: dict[int, list[int | bytes]] = {}
    for number, value in each_field(message):
        found.setdefault(number, []).append(value)
    return found


def messages(fields: Fields, number: int) -> Iterator[Message]:
    """Yield the values of a field that holds messages, texts or bytes."""
    for value in fields.get(number, ()):
        yield as_bytes(value)


def first(fields: Fields, number: int) -> Message:
    """Return the first of them; empty where there is none."""
    return next(messages(fields, number), b"")


def text(fields: Fields, number: int) -> str:
    """Return the first text of a field; empty where there is none."""
    return first(fields, number).decode()


def integer(fields: Fields, number: int) -> int:
    """Return the first value of a field that holds integers; 0 where there is none."""
    value = next(iter(fields.get(number, ())), 0)
    assert isinstance(value, int)  # noqa: S101 # what the field is
    return value


def as_bytes(value: int | bytes) -> bytes:
    """Return the value of a field that holds messages, texts or bytes."""
    assert isinstance(value, bytes)  # noqa: S101 # what the field is
    return value


def each_field(message: Message) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the value of each field, in their order."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, wire_type = tag >> 3, tag & 7
        value: int | bytes
        if wire_type == _VARINT:
            value, at = _varint(message, at)
        else:
            size = _SIZES.get(wire_type)
            if size is None:
                size, at = _varint(message, at)
            value, at = message[at : at + size], at + size
        yield number, value


def write_field(number: int, value: int | bytes) -> Message:
    """Return a field that holds an integer, a message, a text or bytes."""
    if isinstance(value, int):
        return _written(number << 3 | _VARINT) + _written(value)
    return _written(number << 3 | _LENGTH) + _written(len(value)) + value


def _written(value: int) -> bytes:
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*digits, value))


def _varint(message: Message, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
