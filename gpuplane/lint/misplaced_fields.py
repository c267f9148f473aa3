"""Fields that stand in the wrong part of an object, such as a node selector beside its template."""

from collections.abc import Iterator, Sequence

from gpuplane.lint.api_types import TypedObject
from policies.document import elements, field_path, listed

_INWARD = ("jobTemplate", "template", "metadata", "spec", "securityContext")
"""The fields that lead from an object to its containers, and hold what people write too high."""


def move_to(one: TypedObject, name: str, around: Sequence[TypedObject]) -> str:
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
