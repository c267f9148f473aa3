"""What pydantic found, in the words of a platform engineer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic_core import ErrorDetails

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import FieldPath, Problem, dotted
from charts_py.cluster_file.field_schema import (
    Model,
    allowed_at,
    field_names,
    key_names,
    owner_above,
    places_below,
    schema_at,
)
from charts_py.cluster_file.moved_fields import move_of
from charts_py.cluster_file.other_names import nearest_name
from charts_py.cluster_file.refused import Refused
from charts_py.cluster_file.respelled import respelled
from charts_py.cluster_file.value_type import type_of

MISSING = "missing"
"""What is wrong with a required field that is not there."""


@dataclass(frozen=True, slots=True)
class _Number:
    """A number that is shown as it is written: `1.30` is not 1.3 to its author."""

    text: str

    def __str__(self) -> str:
        return self.text


def translate(
    error: ErrorDetails, numbers: Mapping[FieldPath, str], model: Model = Cluster
) -> Problem:
    """Return one pydantic error of a model as a problem with what is allowed and the nearest name.

    `numbers` are those of the file as they are written.
    """
    if error["loc"] in numbers:
        error = {**error, "input": _Number(numbers[error["loc"]])}
    if names_unknown_key(error):
        return _unknown_key(error["loc"][:-1], error, model)
    return _TRANSLATORS.get(error["type"], _wrong_type)(error["loc"], error, model)


def names_unknown_key(error: ErrorDetails) -> bool:
    """Return whether an error is of the name of an entry, whose value is then not to be judged."""
    return error["type"] == "enum" and error["loc"][-1] == "[key]"


def _unknown_field(path: FieldPath, _: ErrorDetails, model: Model) -> Problem:
    if model is Cluster and (move := move_of(path)):
        return move.problem
    name, allowed = str(path[-1]), field_names(path[:-1], model)
    key, colon, value = name.partition(":")
    if colon and key in allowed:
        return Problem(path, f'no space after ":" in "{name}"', f"{key}: {value}", (key,))
    close = nearest_name(name, allowed) or tuple(places_below(name, path[:-1], model))
    owner = None if close else owner_above(name, path[:-1], model)
    known = "" if owner is None else f", which belongs to {dotted(owner) or 'the top level'}"
    return Problem(path, f'unknown field "{name}"{known}', ", ".join(allowed), close)


def _unknown_key(path: FieldPath, _: ErrorDetails, model: Model) -> Problem:
    name, allowed = str(path[-1]), key_names(path[:-1], model)
    return Problem(path, f'unknown name "{name}"', ", ".join(allowed), nearest_name(name, allowed))


def _missing(path: FieldPath, _: ErrorDetails, model: Model) -> Problem:
    return Problem(path, MISSING, allowed_at(path, model))


def _not_among(path: FieldPath, error: ErrorDetails, model: Model) -> Problem:
    given = error["input"]
    allowed: list[str] = (schema_at(path, model) or {})["enum"]
    if isinstance(given, str):
        return Problem(path, f'unknown "{given}"', ", ".join(allowed), nearest_name(given, allowed))
    quoted = ", ".join(f'"{name}"' for name in allowed)
    meant = "string" if str(given).lower() in allowed else ""
    return Problem(path, type_of(given, meant), quoted)


def _refused(path: FieldPath, error: ErrorDetails, _: Model) -> Problem:
    refused = error["ctx"]["error"]
    if isinstance(refused, Refused):
        return Problem(path, refused.what, refused.allowed, refused.nearest)
    return Problem(path, str(refused))


def _wrong_format(path: FieldPath, error: ErrorDetails, model: Model) -> Problem:
    given, pattern = error["input"], error["ctx"]["pattern"]
    what = f'"{given}" has the wrong format'
    return Problem(path, what, allowed_at(path, model), respelled(given, pattern))


def _out_of_bounds(path: FieldPath, error: ErrorDetails, model: Model) -> Problem:
    return Problem(path, f"{error['input']} is out of bounds", allowed_at(path, model))


def _too_short(path: FieldPath, error: ErrorDetails, model: Model) -> Problem:
    what = f'"{error["input"]}" is too short' if error["input"] else "empty"
    return Problem(path, what, allowed_at(path, model))


def _wrong_type(path: FieldPath, error: ErrorDetails, model: Model) -> Problem:
    schema, given = schema_at(path, model) or {}, error["input"]
    expected = schema.get("format") or schema.get("type", "")
    close = _without_quotes(given, expected) if isinstance(given, str) else ()
    return Problem(path, type_of(given, expected), allowed_at(path, model), close)


def _without_quotes(given: str, expected: str) -> tuple[str, ...]:
    """Return the boolean or the number that a string stands for."""
    if expected == "boolean" and given.lower() in _BOOLEANS:
        return (_BOOLEANS[given.lower()],)
    is_number = expected in ("integer", "number") and given.isdecimal()
    return (given,) if is_number else ()


_BOOLEANS = {
    **dict.fromkeys(("yes", "y", "on", "true"), "true"),
    **dict.fromkeys(("no", "n", "off", "false"), "false"),
}
"""What YAML 1.1 reads as booleans, and 1.2 as strings (https://yaml.org/type/bool.html), and
booleans in quotes."""

_TRANSLATORS: Mapping[str, Callable[[FieldPath, ErrorDetails, Model], Problem]] = {
    "enum": _not_among,
    "extra_forbidden": _unknown_field,
    "greater_than": _out_of_bounds,
    "greater_than_equal": _out_of_bounds,
    "less_than_equal": _out_of_bounds,
    "literal_error": _not_among,
    "missing": _missing,
    "string_pattern_mismatch": _wrong_format,
    "string_too_short": _too_short,
    "too_short": _too_short,
    "value_error": _refused,
}
