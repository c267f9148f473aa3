"""What is wrong with workloads, in the words of a platform engineer."""

from collections.abc import Callable, Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from charts_py.recommendation.workload import Workloads
from charts_py.spec.fault import FieldPath, Problem
from charts_py.spec.field_schema import Schema, allowed_by
from charts_py.spec.other_names import nearest_name
from charts_py.spec.refused import Refused
from charts_py.spec.translation import MISSING, type_of


def problems_of(error: ValidationError) -> tuple[Problem, ...]:
    """Return each thing that pydantic found wrong with workloads."""
    return tuple(map(_problem, error.errors(include_url=False)))


def _problem(error: ErrorDetails) -> Problem:
    return _TRANSLATORS.get(error["type"], _wrong_type)(error["loc"], error)


def _unknown_field(path: FieldPath, _: ErrorDetails) -> Problem:
    name, allowed = str(path[-1]), tuple(_schema_at(path[:-1]).get("properties", ()))
    close = nearest_name(name, allowed)
    return Problem(path, f'unknown field "{name}"', ", ".join(allowed), close)


def _missing(path: FieldPath, _: ErrorDetails) -> Problem:
    return Problem(path, MISSING, allowed_by(_schema_at(path)))


def _not_among(path: FieldPath, error: ErrorDetails) -> Problem:
    given, allowed = error["input"], _schema_at(path)["enum"]
    if not isinstance(given, str):
        return _wrong_type(path, error)
    return Problem(path, f'unknown "{given}"', ", ".join(allowed), nearest_name(given, allowed))


def _out_of_bounds(path: FieldPath, error: ErrorDetails) -> Problem:
    return Problem(path, f"{error['input']} is out of bounds", allowed_by(_schema_at(path)))


def _refused(path: FieldPath, error: ErrorDetails) -> Problem:
    refused = error["ctx"]["error"]
    if isinstance(refused, Refused):
        return Problem(path, refused.what, refused.allowed, refused.nearest)
    return Problem(path, str(refused))


def _too_short(path: FieldPath, _: ErrorDetails) -> Problem:
    return Problem(path, "empty", allowed_by(_schema_at(path)))


def _wrong_type(path: FieldPath, error: ErrorDetails) -> Problem:
    schema = _schema_at(path)
    return Problem(path, type_of(error["input"], schema.get("type", "")), allowed_by(schema))


def _schema_at(path: FieldPath) -> Schema:
    """Return the schema of the file, of its workloads, of one of them, or of a field of one."""
    schema: Schema = Workloads.model_json_schema()
    known = schema["$defs"]
    for step in path:
        inner = schema["properties"][step] if "properties" in schema else None
        inner = inner or schema["additionalProperties"]
        schema = {**inner, **known.get(inner.get("$ref", "").rpartition("/")[2], {})}
    return schema


_TRANSLATORS: Mapping[str, Callable[[FieldPath, ErrorDetails], Problem]] = {
    "enum": _not_among,
    "extra_forbidden": _unknown_field,
    "greater_than": _out_of_bounds,
    "greater_than_equal": _out_of_bounds,
    "less_than_equal": _out_of_bounds,
    "missing": _missing,
    "too_short": _too_short,
    "value_error": _refused,
}
