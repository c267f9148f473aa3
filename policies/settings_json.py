"""Settings as JSON: what the platform's ConfigMap holds and the webhook reads."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

import msgspec
from msgspec import NODEFAULT
from msgspec.inspect import DictType, NoneType, StructType, Type, UnionType, VarTupleType, type_info
from msgspec.structs import fields, replace

from gpus.model import HOST_ARCHITECTURE
from gpus.nearest import nearest, nearest_hint
from policies.document import Document, Json, elements
from policies.rule_name import Mode, RuleName
from policies.settings import Settings

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


VERSION = 1
"""Version of the schema; others are refused."""
_NEW = (
    *("own", "queue_scheduler", "max_grace_period_seconds", "queue_priority", "absent_labels"),
    *("replaces_ended_only", "schedulers", "uncounted", "pod_security_user"),
)
"""Settings that webhooks of the release before do not know."""
_NEW_OF_POOLS = ("fixed_labels", "pool_labels", "kept_millicpu", "daemons", "disk", "others")
"""The same of pools."""
_NEW_OF_NAMESPACES = ("pod_security",)
_DIGEST_LENGTH = 12


def read_settings(source: str | bytes) -> Settings:
    """Read settings from JSON; raises SettingsError, which names the path of the fault.

    Those that earlier releases wrote are read: what is new since has a default. A name that is not
    known is refused, since a rule or an exemption that is passed over changes what is admitted.
    """
    try:
        document = json.loads(source, parse_constant=_no_number)
        # A lone surrogate, which JSON can escape, can be neither logged nor written again.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise SettingsError("", f"invalid JSON: {error}") from error
    if type(document) is not dict:
        raise SettingsError("", "an object is expected")
    version = document.pop("version", None)
    if type(version) is not int or version != VERSION:
        problem = f"{json.dumps(version)} is unknown; allowed: {VERSION}"
        raise SettingsError("version", problem, is_unknown=True)
    _label_architectures(document.get("pools"))
    try:
        settings = msgspec.convert(document, Settings)
    except msgspec.ValidationError as error:
        raise settings_error(error, document, Settings) from error
    _check_names(settings)
    return settings


def _label_architectures(pools: Json) -> None:
    """Make labels of the architectures of pools, which older versions wrote beside the labels."""
    for pool in elements(pools):
        labels = pool.get("labels", {}) if type(pool) is dict else None
        if type(labels) is dict and "architecture" in pool:
            pool["labels"] = {HOST_ARCHITECTURE: pool.pop("architecture"), **labels}


def write_settings(settings: Settings) -> str:
    """Format settings as JSON, the same bytes for the same settings.

    What webhooks of the release before do not know, and refuse, is left out where it is the
    default, so that they read the settings of a cluster that has no use for it.

    A list of names is one line: a namespace may use a hundred pools, and a ConfigMap holds 1 MiB.
    """
    members = msgspec.to_builtins(settings)
    _leave_out_defaults(members, settings, _NEW)
    for written, pool in zip(members["pools"], settings.pools, strict=True):
        _leave_out_defaults(written, pool, _NEW_OF_POOLS)
    for of_namespace, known in zip(
        members["namespaces"].values(), settings.namespaces.values(), strict=True
    ):
        _leave_out_defaults(of_namespace, known, _NEW_OF_NAMESPACES)
    return _text({"version": VERSION, **members}, "\n") + "\n"


def _leave_out_defaults(members: dict[str, Any], of: msgspec.Struct, names: Iterable[str]) -> None:
    for field in fields(of):
        default = field.default if field.default_factory is NODEFAULT else field.default_factory()
        if field.name in names and getattr(of, field.name) == default:
            del members[field.encode_name]


def settings_digest(settings: Settings) -> str:
    """Return a short name for exactly these settings, for metrics and logs."""
    return hashlib.sha256(write_settings(settings).encode()).hexdigest()[:_DIGEST_LENGTH]


def webhook_settings(settings: Settings) -> Settings:
    """Return what the webhook needs: it leaves custom rules and Pod Security to the API server."""
    return _without_custom_rules(_without_levels(settings))


def _without_levels(settings: Settings) -> Settings:
    if settings.pod_security_user is not None:
        return settings
    namespaces = settings.namespaces.items()
    return replace(
        settings, namespaces={name: replace(one, pod_security=None) for name, one in namespaces}
    )


def _without_custom_rules(settings: Settings) -> Settings:
    if not settings.own:
        return settings

    def built_in(modes: Mapping[str, Mode]) -> Mapping[str, Mode]:
        return {name: mode for name, mode in modes.items() if name in set(RuleName)}

    return replace(
        settings,
        own=(),
        modes=built_in(settings.modes),
        namespaces={
            name: replace(each, modes=built_in(each.modes))
            for name, each in settings.namespaces.items()
        },
        exceptions=tuple(each for each in settings.exceptions if each.rule in set(RuleName)),
    )


def _check_names(settings: Settings) -> None:
    """Raise SettingsError where a name is that of no rule, or of two."""
    own = [rule.name for rule in settings.own]
    for index, name in enumerate(own):
        if name in set(RuleName) or Counter(own)[name] > 1:
            raise SettingsError(f"own[{index}].name", f'"{name}" is the name of two rules')
    known = (*RuleName, *own)
    for path, name in _named(settings):
        if name not in known:
            hint = nearest_hint(nearest(name, known))
            problem = f'"{name}" is unknown; allowed: {", ".join(known)}{hint}'
            raise SettingsError(path, problem, is_unknown=True)


def _named(settings: Settings) -> Iterator[tuple[str, str]]:
    for name in settings.modes:
        yield f"modes.{name}", name
    for namespace, each in settings.namespaces.items():
        for name in each.modes:
            yield f"namespaces.{namespace}.modes.{name}", name
    for index, exception in enumerate(settings.exceptions):
        yield f"exceptions[{index}].rule", exception.rule


def _text(value: object, margin: str) -> str:
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        lines = [f"{_line(key)}: {_text(value[key], inner)}" for key in sorted(value)]
        return f"{{{inner}{f',{inner}'.join(lines)}{margin}}}"
    if isinstance(value, (list, tuple)) and any(isinstance(each, dict) for each in value):
        lines = [_text(each, inner) for each in value]
        return f"[{inner}{f',{inner}'.join(lines)}{margin}]"
    return _line(value)


def _line(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


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
