"""Fields of Kubernetes' own kinds that its API server does not know, requires, or refuses.

Strict decoding, as by kubectl, refuses unknown fields; otherwise the API server drops them.
https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from charts_py.objects.document import Document
from gpuplane.lint.api_types import TypedObject, typed_objects
from gpuplane.lint.misplaced_fields import move_to
from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.rule import RuleFinding
from gpus.nearest import nearest
from policies.document import Json, escaped, field_path, members, shown, text

AMOUNTS = ("limits", "requests")
_RESOURCES, _SELECTOR = "ResourceRequirements", "/spec/selector"
"""Unknown fields there are told with what they were to do."""


def refused_fields(document: Document, *, is_patch: bool) -> Iterator[RuleFinding]:
    parts = [*typed_objects(document)]
    for one in parts:
        is_told = one.type == _RESOURCES or one.pointer == _SELECTOR
        unknown = [] if is_told or not one.unknown else [*_unknown(one, parts)]
        yield from unknown
        for name, allowed in _values().get(one.type, {}).items():
            yield from _refused_value(f"{one.pointer}/{name}", one.fields.get(name), allowed)
        if not is_patch and not unknown:
            yield from _missing(one)


def is_for_amounts(field: str, value: Json) -> bool:
    """Whether a field of a container is for `resources`, or one of these."""
    return field in AMOUNTS or any(each in AMOUNTS for each in members(value))


@cache
def _values() -> Mapping[str, Any]:
    table = (files("gpuplane.lint") / "api_values.toml").read_text(encoding="utf-8")
    return tomllib.loads(table)


def _unknown(one: TypedObject, parts: Sequence[TypedObject]) -> Iterator[RuleFinding]:
    around = [each for each in parts if one.pointer.startswith(f"{each.pointer}/")]
    for name in one.unknown:
        pointer = f"{one.pointer}/{escaped(name)}"
        if not (is_for_amounts(name, one.fields[name]) or is_placeholder(name)):
            value = one.fields[name]
            alike = [each for each in one.known - one.fields.keys() if one.takes(each, value)]
            rename = "".join(f"Rename it to {close}." for close in nearest(name, sorted(alike))[:1])
            yield RuleFinding(
                pointer,
                f"{field_path(pointer)} is no field of Kubernetes, so the object is refused or the "
                "field ignored.",
                move_to(one, name, around) or rename or "Leave it out.",
            )


def _refused_value(pointer: str, value: Json, allowed: Any) -> Iterator[RuleFinding]:
    if type(allowed) is int:
        if type(value) is int and value < allowed:
            yield RuleFinding(
                pointer,
                f"{field_path(pointer)} is {shown(value)}, which the API server refuses.",
                f"Set it to {allowed} or more.",
            )
    elif text(value) and value not in allowed and not is_placeholder(value):
        close = nearest(value, allowed)
        yield RuleFinding(
            pointer,
            f"{field_path(pointer)} is {shown(value)}, which the API server refuses; allowed: "
            f"{', '.join(allowed)}.",
            f"Set it to {close[0]}." if close else "",
        )


def _missing(one: TypedObject) -> Iterator[RuleFinding]:
    for name in _values()["required"].get(one.type, ()):
        if one.fields.get(name) in (None, ""):
            pointer = f"{one.pointer}/{name}"
            yield RuleFinding(
                pointer,
                f"{field_path(pointer)} is missing, which the API server requires.",
                "State it.",
            )
