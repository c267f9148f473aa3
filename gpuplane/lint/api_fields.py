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
from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.rule import RuleFinding
from gpus.nearest import nearest
from policies.document import Json, elements, escaped, field_path, listed, members, shown, text

AMOUNTS = ("limits", "requests")
_RESOURCES, _SELECTOR = "ResourceRequirements", "/spec/selector"
"""Unknown fields there are told with what they were to do."""
_INWARD = ("jobTemplate", "template", "metadata", "spec", "securityContext")
"""The fields that lead from an object to its containers, and hold what people write too high."""


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
                _move_to(one, name, around) or rename or "Leave it out.",
            )


def _move_to(one: TypedObject, name: str, around: Sequence[TypedObject]) -> str:
    """Return what to do with an unknown field that another part of its object knows; else empty.

    `around` are the parts that hold it, from the whole object on.
    """
    for parts in (*_inward(one), *_outward(around)):
        able = [part for part in parts if part.takes(name, one.fields[name])]
        free = [field_path(part.pointer) for part in able if name not in part.fields]
        if free:
            return f"Move it to {listed(free, ' or ')}."
        if able:
            return f"Leave it out: {field_path(able[0].pointer)} has it."
    return ""


def _inward(one: TypedObject) -> Iterator[list[TypedObject]]:
    """Yield the parts below on the way to its containers, by depth."""
    parts = [one]
    while parts := [below for part in parts for below in _below(part)]:
        yield parts


def _below(one: TypedObject) -> Iterator[TypedObject]:
    for name in _INWARD:
        if name in one.known:
            yield one.part(name)
    for index, _ in enumerate(elements(one.fields.get("containers"))):
        yield one.part("containers", index)


def _outward(around: Sequence[TypedObject]) -> Iterator[list[TypedObject]]:
    """Yield the parts that hold it, the nearest first, each with its metadata."""
    for one in reversed(around):
        yield [one] if one.pointer else []
        yield [one.part("metadata")] if "metadata" in one.known else []


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
