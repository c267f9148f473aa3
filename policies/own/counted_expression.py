"""Has a compiled expression count what it takes, since the evaluator does not report it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.own import message_fields as at
from policies.own.wire_format import (
    as_bytes,
    each_field,
    first,
    integer,
    messages,
    read_fields,
    text,
    write_field,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from policies.own.wire_format import Fields, Message

STEP = "counted_step"
"""Name of the function that counts a step of a macro and what it has gathered, and is true."""
MADE = "counted_text"
"""Name of the function that counts what it is given, and returns it."""
INSTEAD = {"join": "counted_join", "replace": "counted_replace"}
"""What is called instead of functions whose result can be a product of lengths."""

_MAKE_TEXT = ("_+_", "lowerAscii", "upperAscii", "trim", "substring", "split", "string", "quantity")
_NUMBERS = (b"\x18\x01", b"\x18\x02", b"\x18\x03", b"\x18\x04")
"""How the types bool, int, uint and double are written."""
_GATHERED = "@"
"""Begins the name of what a macro gathers, which its steps count."""
_INNER: Mapping[int, tuple[int, ...]] = {
    at.SELECT: (at.SELECT_OPERAND,),
    at.CALL: (at.CALL_TARGET, at.CALL_ARGUMENTS),
    at.LIST: (at.LIST_ELEMENTS,),
    at.COMPREHENSION: (at.RANGE, at.START, at.CONDITION, at.STEP, at.RESULT),
}
_ENTRY = (at.ENTRY_KEY, at.ENTRY_VALUE)


def counted(serialized: bytes) -> bytes:
    """Return an expression that has the same value, and counts the steps and texts that it takes.

    It is what `serialize` returns of one whose types were checked.
    """
    checked = read_fields(first(read_fields(serialized), at.ANY_VALUE))
    types = {
        integer(entry, at.KEY): first(entry, at.VALUE)
        for entry in map(read_fields, messages(checked, at.TYPES))
    }
    change = _Change(types).expression
    return _changed(serialized, at.ANY_VALUE, lambda value: _changed(value, at.EXPRESSION, change))


class _Change:
    def __init__(self, types: Mapping[int, Message]) -> None:
        self._types = types

    def expression(self, expression: Message) -> Message:
        fields = read_fields(expression)
        kind = next(each for each in fields if each != at.ID)
        made = _changed(expression, kind, lambda inner: self._inner(kind, inner))
        if kind != at.CALL:
            return made
        call = read_fields(first(fields, at.CALL))
        is_text = self._types.get(integer(fields, at.ID)) not in _NUMBERS
        if text(call, at.CALL_FUNCTION) in _MAKE_TEXT and is_text and not _gathers(call):
            return _call(MADE, made)
        return made

    def _inner(self, kind: int, inner: Message) -> Message:
        for number in _INNER.get(kind, ()):
            inner = _changed(inner, number, self.expression)
        if kind == at.MAP:
            return _changed(inner, at.MAP_ENTRIES, self._entry)
        if kind == at.COMPREHENSION:
            step = _step(read_fields(inner))
            return _changed(inner, at.CONDITION, lambda condition: _after(step, condition))
        return _changed(inner, at.CALL_FUNCTION, _renamed) if kind == at.CALL else inner

    def _entry(self, entry: Message) -> Message:
        for number in _ENTRY:
            entry = _changed(entry, number, self.expression)
        return entry


def _gathers(call: Fields) -> bool:
    operand = read_fields(first(call, at.CALL_ARGUMENTS))
    name = text(read_fields(first(operand, at.NAME)), at.NAME_NAME)
    return name.startswith(_GATHERED)


def _step(comprehension: Fields) -> Message:
    """Return what counts a step, and what is gathered until then where it is a list."""
    if at.LIST not in read_fields(first(comprehension, at.START)):
        return _call(STEP)
    name = write_field(at.NAME_NAME, first(comprehension, at.RESULT_NAME))
    return _call(STEP, _call("size", write_field(at.NAME, name)))


def _after(step: Message, condition: Message) -> Message:
    stop = write_field(at.CONSTANT, write_field(at.BOOL_VALUE, 0))
    return _call("_?_:_", step, condition, stop)


def _renamed(function: Message) -> Message:
    return INSTEAD.get(function.decode(), function.decode()).encode()


def _call(function: str, *arguments: Message) -> Message:
    """Return a call that no type is known of, which has no identifier therefore."""
    named = write_field(at.CALL_FUNCTION, function.encode())
    given = (write_field(at.CALL_ARGUMENTS, argument) for argument in arguments)
    return write_field(at.CALL, b"".join((named, *given)))


def _changed(message: Message, number: int, change: Callable[[Message], Message]) -> Message:
    """Return a message in which each value of a field is changed."""
    return b"".join(
        write_field(each, change(as_bytes(value)) if each == number else value)
        for each, value in each_field(message)
    )
