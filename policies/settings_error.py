"""Why a document is not valid settings: msgspec's message, with the names that it omits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.inspect import DictType, NoneType, StructType, UnionType, VarTupleType, type_info

from gpus.nearest import nearest, nearest_hint
from policies.document import Json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from msgspec.inspect import Type

    from policies.document import Document

_STEP = re.compile(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]")
"""A field, an index, or some key of a mapping, which msgspec does not name."""
_MESSAGE = re.compile(
    rf"(?P<problem>.*?)(?: - at (?P<of_key>`key` in )?`\$(?P<steps>(?:{_STEP.pattern})*)`)?",
    re.DOTALL,
)
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_UNKNOWN_VALUE = "Invalid enum value"
_EXPECTED = re.compile(r"Expected `([^`]*)`, got .*")
_BOUND = re.compile(r"Expected `float` ([<>]=? .*)")
_JSON_TYPES = {
    "object": "an object",
    "array": "an array",
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "date": "a date",
    "null": "null",
}


class SettingsError(ValueError):
    """Why a document is not valid settings."""

    def __init__(self, path: str, problem: str, *, is_unknown: bool = False) -> None:
        super().__init__(f"{path or 'settings'}: {problem}")
        self.path = path
        self.is_unknown = is_unknown
        """Whether a name is not known, which may be one that a later version brings."""


class _Place(NamedTuple):
    """A place in a document."""

    path: str
    expected: Any
    """What `msgspec.inspect` says of the type."""
    value: Json


def settings_error(
    error: msgspec.ValidationError, document: Document, expected: type[msgspec.Struct]
) -> SettingsError:
    """Say in our words why the document is not as expected; consumes the document."""
    message = _MESSAGE.fullmatch(str(error))
    if message is None:
        return SettingsError("", str(error))
    place = _Place("", type_info(expected), document)
    for name, index in _STEP.findall(message["steps"] or ""):
        key = name or index or _culprit(place.value, document, expected, str(error))
        place = _inside(place, int(index) if index else key)
    if message["of_key"]:
        key = _culprit(place.value, document, expected, str(error))
        place = _Place(_below(place.path, key), place.expected.key_type, key)
    return _explained(place, message["problem"])


def _culprit(
    mapping: Document, document: Document, expected: type[msgspec.Struct], message: str
) -> str:
    """Return the key whose value is wrong, and leave no other in the mapping."""
    for key, member in tuple(mapping.items()):
        mapping.clear()
        mapping[key] = member
        try:
            msgspec.convert(document, expected)
        except msgspec.ValidationError as error:
            if str(error) == message:
                break
    return key


def _inside(place: _Place, key: str | int) -> _Place:
    match place.expected:
        case VarTupleType(item_type=expected) | DictType(value_type=expected):
            pass
        case StructType(fields=fields):
            expected = next(field.type for field in fields if field.encode_name == key)
    return _Place(_below(place.path, key), _stated(expected), place.value[key])


def _stated(expected: Type) -> Type:
    """Return what is expected of a member that may be left out."""
    match expected:
        case UnionType(types=types):
            (stated,) = (each for each in types if not isinstance(each, NoneType))
            return stated
    return expected


def _explained(place: _Place, problem: str) -> SettingsError:
    if missing := _MISSING.fullmatch(problem):
        return SettingsError(_below(place.path, missing[1]), "missing")
    if unknown := _UNKNOWN.fullmatch(problem):
        hint = _hint(unknown[1], (field.encode_name for field in place.expected.fields))
        return SettingsError(_below(place.path, unknown[1]), f"unknown{hint}", is_unknown=True)
    is_unknown = problem.startswith(_UNKNOWN_VALUE)
    return SettingsError(place.path, _value_problem(place, problem), is_unknown=is_unknown)


def _value_problem(place: _Place, problem: str) -> str:
    if problem.startswith(_UNKNOWN_VALUE):
        allowed = [member.value for member in place.expected.cls]
        hint = _hint(place.value, allowed)
        return f'"{place.value}" is unknown; allowed: {", ".join(allowed)}{hint}'
    if problem.endswith(">= 0"):
        return f"{place.value} is negative"
    if bound := _BOUND.fullmatch(problem):
        return f"{place.value} is out of bounds; allowed: {bound[1]}"
    if problem.endswith("encoded date"):
        return f'"{place.value}" is not a date such as 2026-12-31'
    if expected := _EXPECTED.fullmatch(problem):
        types = (_JSON_TYPES.get(name, name) for name in expected[1].split(" | "))
        return f"{' or '.join(types)} is expected"
    return problem


def _hint(name: str, allowed: Iterable[str]) -> str:
    return nearest_hint(nearest(name, allowed))


def _below(path: str, key: str | int) -> str:
    if type(key) is int:
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)
