"""Settings as JSON: what the platform's ConfigMap holds and the webhook reads."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from gpus.nearest import nearest, nearest_hint
from policies.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.document import Document, Json

VERSION = 1
"""Of the schema; other versions are refused."""
_DIGEST_LENGTH = 12


class SettingsError(ValueError):
    """Why a document holds no settings."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path or 'settings'}: {problem}")
        self.path = path


def read_settings(source: str | bytes) -> Settings:
    """Read settings from JSON; raises SettingsError, which names the path of the fault."""
    try:
        document = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise SettingsError("", f"no JSON: {error}") from error
    if type(document) is not dict:
        raise SettingsError("", "an object is expected")
    version = document.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise SettingsError("version", f"{json.dumps(version)} is unknown; allowed: {VERSION}")
    settings: Settings = _read(Settings, document, "")
    return settings


def write_settings(settings: Settings) -> str:
    """Spell settings as JSON, the same bytes for the same settings."""
    document = {"version": VERSION, **_written(settings)}
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def settings_digest(settings: Settings) -> str:
    """Return a short name of exactly these settings, for metrics and logs."""
    return hashlib.sha256(write_settings(settings).encode()).hexdigest()[:_DIGEST_LENGTH]


def _written(value: Any) -> Json:
    if is_dataclass(value):
        return {_camel(f.name): _written(getattr(value, f.name)) for f in _stated(type(value))}
    if isinstance(value, Mapping):
        return {str(key): _written(member) for key, member in value.items()}
    if isinstance(value, tuple):
        return [_written(element) for element in value]
    if isinstance(value, dt.date):
        return value.isoformat()
    return value


def _camel(name: str) -> str:
    return re.sub("_([a-z])", lambda matched: matched.group(1).upper(), name)


def _stated(kind: type) -> list[Field[Any]]:
    """Return the fields that a document states; the others follow from them."""
    return [described for described in fields(kind) if described.init]


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Json, path: str) -> Any:
    origin = get_origin(kind)
    if origin is types.UnionType:
        return None if value is None else _read(get_args(kind)[0], value, path)
    if origin is tuple:
        return _read_array(get_args(kind)[0], value, path)
    if origin is Mapping:
        key, member = get_args(kind)
        return _read_mapping(key, member, _expected(dict, value, path), path)
    if is_dataclass(kind):
        return _read_object(kind, _expected(dict, value, path), path)
    return _read_scalar(kind, value, path)


def _read_array(kind: Any, value: Json, path: str) -> tuple[Any, ...]:
    array = _expected(list, value, path)
    return tuple(_read(kind, element, f"{path}[{index}]") for index, element in enumerate(array))


def _read_mapping(key: Any, kind: Any, document: Document, path: str) -> dict[Any, Any]:
    return {
        _read(key, name, _below(path, name)): _read(kind, member, _below(path, name))
        for name, member in document.items()
    }


def _read_object(kind: Any, document: Document, path: str) -> Any:
    names = {_camel(f.name): f for f in _stated(kind)}
    for name in document:
        if name not in names:
            raise SettingsError(_below(path, name), f"unknown{_hint(name, names)}")
    values = {}
    for name, described in names.items():
        if name in document:
            hint = _hints(kind)[described.name]
            values[described.name] = _read(hint, document[name], _below(path, name))
        elif described.default is MISSING and described.default_factory is MISSING:
            raise SettingsError(_below(path, name), "missing")
    return kind(**values)


def _read_scalar(kind: Any, value: Json, path: str) -> Any:
    if kind is dt.date:
        return _read_date(_expected(str, value, path), path)
    if issubclass(kind, StrEnum):
        return _read_enum(kind, _expected(str, value, path), path)
    if kind is float and type(value) is int:
        return float(value)
    scalar = _expected(kind, value, path)
    if kind is int and scalar < 0:
        raise SettingsError(path, f"{scalar} is negative")
    return scalar


def _read_date(value: str, path: str) -> dt.date:
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        raise SettingsError(path, f'"{value}" is no date such as 2026-12-31') from None


def _read_enum(kind: type[StrEnum], value: str, path: str) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(kind)
        hint = _hint(value, kind)
        raise SettingsError(path, f'"{value}" is unknown; allowed: {allowed}{hint}') from None


def _hint(name: str, allowed: Any) -> str:
    return nearest_hint(nearest(name, allowed))


_SPOKEN = {
    dict: "an object",
    list: "an array",
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def _expected(kind: type, value: Json, path: str) -> Any:
    if type(value) is not kind:
        raise SettingsError(path, f"{_SPOKEN[kind]} is expected")
    return value


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def documented_settings(kind: type = Settings, path: str = "") -> Iterator[str]:
    """Yield the path of every setting, so that documentation can be checked for each."""
    for described in _stated(kind):
        below = _below(path, _camel(described.name))
        yield below
        for nested in _dataclasses_in(_hints(kind)[described.name]):
            yield from documented_settings(nested, below)


def _dataclasses_in(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for argument in get_args(hint):
        yield from _dataclasses_in(argument)
