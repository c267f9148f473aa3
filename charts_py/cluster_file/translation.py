"""What pydantic found, and fields that have moved, in the words of a platform engineer."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import (
    Fault,
    FieldPath,
    Mark,
    Problem,
    SpecError,
    dotted,
    mark_at,
    type_of,
)
from charts_py.cluster_file.field_schema import (
    Model,
    allowed_at,
    allowed_key,
    field_names,
    key_names,
    owner_above,
    places_below,
    schema_at,
    spelled_out,
    takes_true,
)
from charts_py.cluster_file.other_names import nearest_name, respelled
from charts_py.cluster_file.source import Source
from charts_py.cluster_file.strict_model import Refused, StrictModel

_Model = TypeVar("_Model", bound=StrictModel)
ANY = "*"
"""Matches every name and index."""
MIGRATE = "gpuplane migrate"
"""The command that moves them."""


@dataclass(frozen=True, slots=True)
class MovedField:
    """A field that cluster files had once, and what took its place."""

    path: FieldPath
    """The old path, with `ANY` for names that the cluster file chooses."""
    to: FieldPath
    """The new path, with `ANY` for the same names."""
    values: Mapping[Any, str | None] | None = None
    """What its values are called there, None where that is the default; without it, the same."""

    def places(self, content: Any) -> Iterator["Move"]:
        for names in _names(content, self.path):
            yield Move(self, _filled(self.path, names), _filled(self.to, names))


@dataclass(frozen=True, slots=True)
class Move:
    """A field that moves within one file."""

    field: MovedField
    path: FieldPath
    to: FieldPath

    @property
    def problem(self) -> Problem:
        return Problem(self.path, f"{self.what}; run {MIGRATE}")

    @property
    def what(self) -> str:
        """Where it has moved, and what its values are called there."""
        names = (
            f"{str(value).lower()} is {'the default' if name is None else name}"
            for value, name in (self.field.values or {}).items()
        )
        there = " and ".join(names)
        return f"has moved to {dotted(self.to)}{f', where {there}' if there else ''}"

    def has_value(self, value: Any) -> bool:
        """Whether its value is one that there is at the new place as well."""
        values = self.field.values
        return values is None or (isinstance(value, (bool, str)) and value in values)

    def value(self, value: Any) -> Any:
        """Return what its value is called there; None where it is the default."""
        return value if self.field.values is None else self.field.values[value]


_INSTANCE_TYPE = ("hardware", "instanceTypes", ANY, ANY)
MOVED_FIELDS: Sequence[MovedField] = (
    MovedField(
        ("webhook", "enabled"), ("policies", "admission"), {True: None, False: "in-tree-only"}
    ),
    MovedField(("networkPolicyEngine",), ("network", "policyEngine")),
    MovedField(("apiServer",), ("network", "apiServer")),
    MovedField((*_INSTANCE_TYPE, "rdma"), (*_INSTANCE_TYPE, "interconnect")),
    MovedField((*_INSTANCE_TYPE, "rdmaInterfaces"), (*_INSTANCE_TYPE, "interconnectInterfaces")),
    MovedField((*_INSTANCE_TYPE, "rdmaFirstCard"), (*_INSTANCE_TYPE, "interconnectFirstCard")),
)


def moves_in(content: Any) -> tuple[Move, ...]:
    return tuple(move for field in MOVED_FIELDS for move in field.places(content))


def move_of(path: FieldPath) -> Move | None:
    """Return where the field at a path has moved, or None where it is none that there was."""
    content: Any = None
    for step in reversed(path):
        content = {step: content}
    return next((move for move in moves_in(content) if move.path == path), None)


def _names(content: Any, path: FieldPath) -> Iterator[tuple[str | int, ...]]:
    """Yield the names that stand for `ANY` wherever content has the path."""
    if not path:
        yield ()
    elif isinstance(content, Mapping):
        for key in content if path[0] == ANY else {path[0]} & content.keys():
            own = (key,) if path[0] == ANY else ()
            yield from ((*own, *names) for names in _names(content[key], path[1:]))


def _filled(path: FieldPath, names: Sequence[str | int]) -> FieldPath:
    remaining = iter(names)
    return tuple(next(remaining) if step == ANY else step for step in path)


_KEY = ("[key]",)
"""Where pydantic finds what is wrong with the name of an entry, behind that name."""
MISSING = "missing"
"""What is wrong with a required field that is not there."""


@dataclass(frozen=True, slots=True)
class _Number:
    """A number that is shown as it is written: `1.30` is not 1.3 to its author."""

    text: str

    def __str__(self) -> str:
        return self.text


def validated(source: Source, model: type[_Model]) -> _Model:
    """Return what a file states; raise SpecError with every fault of it.

    It is strict, so that text is no number and 1.10 no text. Strict models take lists for tuples,
    and strings for enums and dates, from JSON alone.
    """
    if source.content is None or source.faults:
        raise SpecError(source.faults)
    try:
        return model.model_validate_json(
            json.dumps(spelled_out(source.content, model)), strict=True
        )
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems = (translate(each, source.numbers, model) for each in details)
        raise SpecError(
            Fault(mark_at(each.path, source.marks), each) for each in problems
        ) from error


def translate(
    error: ErrorDetails, numbers: Mapping[FieldPath, str], model: Model = Cluster
) -> Problem:
    """Return one pydantic error of a model as a problem with what is allowed and the nearest name.

    `numbers` are those of the file as they are written.
    """
    if error["loc"] in numbers:
        error = {**error, "input": _Number(numbers[error["loc"]])}
    if error["loc"][-1:] == _KEY:
        of_key = _unknown_key if names_unknown_key(error) else _wrong_key
        return of_key(error["loc"][:-1], error, model)
    return _TRANSLATORS.get(error["type"], _wrong_type)(error["loc"], error, model)


def names_unknown_key(error: ErrorDetails) -> bool:
    """Return whether an error is of the name of an entry, whose value is then not to be judged."""
    return error["type"] == "enum" and error["loc"][-1:] == _KEY


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


def _wrong_key(path: FieldPath, error: ErrorDetails, model: Model) -> Problem:
    name, pattern = str(path[-1]), error.get("ctx", {}).get("pattern")
    what = f'the name "{name}" has the wrong format'
    close = () if pattern is None else respelled(name, pattern)
    return Problem(path, what, allowed_key(path[:-1], model), close)


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
    expected, allowed = schema.get("format") or schema.get("type", ""), allowed_at(path, model)
    if takes_true(path, model):
        expected, allowed = "boolean", f"true, or {allowed}"
    close = _without_quotes(given, expected) if isinstance(given, str) else ()
    close = close or (_in_unit(given, str(path[-1])) if expected == "integer" else ())
    return Problem(path, type_of(given, expected), allowed, close)


def _without_quotes(given: str, expected: str) -> tuple[str, ...]:
    """Return the boolean or the number that a string stands for."""
    if expected == "boolean" and given.lower() in _BOOLEANS:
        return (_BOOLEANS[given.lower()],)
    is_number = expected in ("integer", "number") and given.isdecimal()
    return (given,) if is_number else ()


def _in_unit(given: Any, field: str) -> tuple[str, ...]:
    """Return what a duration such as `24h` is in the unit that the name of a field ends in."""
    unit = next((each for each in _UNITS if field.endswith(each)), None)
    stated = re.fullmatch(r"([0-9]{1,9})\s*([smhd])[a-z]*", str(given).lower())
    if unit is None or stated is None:
        return ()
    whole, rest = divmod(int(stated[1]) * _SECONDS[stated[2]], _UNITS[unit])
    return () if rest else (str(whole),)


_UNITS = {"Seconds": 1, "Minutes": 60, "Hours": 3600, "Days": 86400}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
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


def faults_of_fleet(by_file: Mapping[Path, Sequence[Fault]], fleet: Path | None) -> Iterator[Fault]:
    """Yield the faults of all cluster files, as they are reported together.

    One in the fleet's file that not all clusters have names who has. Where there is no such file,
    what all clusters lack may have stood there. A cluster whose own file cannot be read has no
    fault that follows from both.
    """
    read = {file: faults for file, faults in by_file.items() if all(f.problem.path for f in faults)}
    if fleet is None and len(read) > 1:
        yield from _lacking(read)
    readers: dict[Fault, list[str]] = {}
    for file in sorted(by_file):
        for fault in dict.fromkeys(by_file[file]):
            readers.setdefault(fault, []).append(file.stem)
    for fault, names in readers.items():
        is_of_some = fault.mark.file == str(fleet) and not {f.stem for f in read}.issubset(names)
        if is_of_some:
            verb = "reads" if len(names) == 1 else "read"
            what = f"{fault.problem.what}, as {', '.join(names)} {verb} it"
            yield replace(fault, problem=replace(fault.problem, what=what))
        else:
            yield fault


def _lacking(by_file: Mapping[Path, Sequence[Fault]]) -> Iterator[Fault]:
    # Those that are missing, or of which a part is.
    lacking = (
        {str(each.problem.path[0]) for each in faults if each.problem.what == MISSING}
        for faults in by_file.values()
    )
    if lacked := sorted(set.intersection(*lacking)):
        mark = Mark(str(next(iter(by_file)).parent / FLEET_FILE), 1)
        what = f"no such file, and every cluster lacks {', '.join(lacked)}"
        yield Fault(mark, Problem((), what, "a file with what clusters share"))
