"""What pydantic found, in the words of a platform engineer."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from charts_py.spec.cluster import Cluster
from charts_py.spec.fault import FieldPath, Problem
from charts_py.spec.model_fields import model_at, names_of
from gpus.nearest import nearest

_KINDS: Mapping[str, str] = {
    "bool": "truth value",
    "date": "date (YYYY-MM-DD)",
    "dict": "mapping",
    "float": "number",
    "int": "whole number",
    "list": "list",
    "model": "mapping",
    "string": "text",
    "tuple": "list",
}


def translate(error: ErrorDetails) -> Problem:
    """Return one pydantic error as a problem with what is allowed and the nearest name."""
    path = _path_of(error)
    translator = _TRANSLATORS.get(error["type"])
    if translator is not None:
        return translator(path, error)
    if error["type"].endswith(("_type", "_parsing", "_from_float", "_inexact")):
        return _wrong_kind(path, error)
    return Problem(path, error["msg"])


def _path_of(error: ErrorDetails) -> FieldPath:
    return tuple(step for step in error["loc"] if step != "[key]")


def _unknown_field(path: FieldPath, _: ErrorDetails) -> Problem:
    model = model_at(Cluster, path[:-1])
    allowed = names_of(model) if model else ()
    name = str(path[-1])
    return Problem(path, f'unknown field "{name}"', ", ".join(allowed), nearest(name, allowed))


def _missing(path: FieldPath, _: ErrorDetails) -> Problem:
    model = model_at(Cluster, path[:-1])
    described = None
    if model is not None:
        field = next(f for n, f in model.model_fields.items() if (f.alias or n) == path[-1])
        described = " ".join((field.description or "").split()).split(". ")[0].rstrip(".")
    return Problem(path, "missing", described)


def _not_among(path: FieldPath, error: ErrorDetails) -> Problem:
    allowed = re.findall(r"'([^']*)'", error["ctx"]["expected"])
    given = str(error["input"])
    return Problem(path, f'"{given}" is unknown', ", ".join(allowed), nearest(given, allowed))


def _own_words(path: FieldPath, error: ErrorDetails) -> Problem:
    return Problem(path, str(error["ctx"]["error"]))


def _wrong_form(path: FieldPath, error: ErrorDetails) -> Problem:
    return Problem(path, f'"{error["input"]}" has the wrong form', error["ctx"]["pattern"])


def _out_of_bounds(words: str, bound: str) -> Callable[[FieldPath, ErrorDetails], Problem]:
    def translator(path: FieldPath, error: ErrorDetails) -> Problem:
        return Problem(path, f"{error['input']} is out of bounds", f"{words} {error['ctx'][bound]}")

    return translator


def _too_short(path: FieldPath, error: ErrorDetails) -> Problem:
    return Problem(path, "too short", f"at least {error['ctx']['min_length']}")


def _wrong_kind(path: FieldPath, error: ErrorDetails) -> Problem:
    kind = _KINDS[error["type"].split("_", maxsplit=1)[0]]
    return Problem(path, f"{_shown(error['input'])} is no {kind}", f"a {kind}")


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "nothing" if value is None else str(value)


_TRANSLATORS: Mapping[str, Callable[[FieldPath, ErrorDetails], Problem]] = {
    "enum": _not_among,
    "extra_forbidden": _unknown_field,
    "greater_than": _out_of_bounds("more than", "gt"),
    "greater_than_equal": _out_of_bounds("at least", "ge"),
    "less_than_equal": _out_of_bounds("at most", "le"),
    "literal_error": _not_among,
    "missing": _missing,
    "string_pattern_mismatch": _wrong_form,
    "string_too_short": _too_short,
    "too_short": _too_short,
    "value_error": _own_words,
}
