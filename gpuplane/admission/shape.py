"""Of which type the parts of a manifest must be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.value_type import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts."""

    read_as: type
    name: str
    """Of the type, as a schema has it."""
    allowed: str


@dataclass(frozen=True, slots=True)
class Each:
    """A list whose items are all of one shape, or a mapping whose members are, by any name."""

    shape: Shape
    types: tuple[type, ...]


Shape: TypeAlias = "Mapping[str, Shape] | Each | Scalar"
"""Of what shape something is; a mapping with what some of its members are."""

ANY: Shape = {}
TEXT = Scalar(str, "string", "a string")
FLAG = Scalar(bool, "boolean", "true or false")
_NAMES: Mapping[type, str] = {list: "a list", dict: "a mapping"}


def items(shape: Shape = ANY) -> Each:
    """Return a list of such items."""
    return Each(shape, (list,))


def values(shape: Shape) -> Each:
    """Return a mapping of such values."""
    return Each(shape, (dict,))


def children(shape: Shape) -> Each:
    """Return a list or a mapping, as what a place in a workload leads through may be either."""
    return Each(shape, (list, dict))


def misshapen(value: Any, shape: Shape, path: FieldPath) -> Iterator[Problem]:
    """Yield what is of another type; a member without a value is absent, an item is wrong."""
    match shape:
        case Scalar():
            if not isinstance(value, shape.read_as):
                yield Problem(path, type_of(value, shape.name), shape.allowed)
        case Each():
            yield from _misshapen_each(value, shape, path)
        case _ if not isinstance(value, dict):
            yield _wrong_type(value, (dict,), path)
        case _:
            for name, inner in shape.items():
                if value.get(name) is not None:
                    yield from misshapen(value[name], inner, (*path, name))


def _misshapen_each(value: Any, each: Each, path: FieldPath) -> Iterator[Problem]:
    if type(value) not in each.types:
        yield _wrong_type(value, each.types, path)
        return
    for name, inner in enumerate(value) if isinstance(value, list) else value.items():
        if inner is not None or isinstance(value, list):
            yield from misshapen(inner, each.shape, (*path, name))


def _wrong_type(value: Any, types: tuple[type, ...], path: FieldPath) -> Problem:
    return Problem(path, type_of(value, "object"), " or ".join(_NAMES[each] for each in types))
