"""The operations that put something into a document, whatever stands there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import pointer
from policies.operation import Operation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from policies.document import Json

_Fix = tuple[Operation, ...]


def put(parent: Json, at: str, names: Sequence[str], value: Json) -> _Fix:
    """Return the operation that sets a member, with the objects above it where they are missing.

    `at` is the JSON Pointer of the parent, the names lead from there. Nothing where something else
    than an object stands above the member: a malformed pod is left to the API server's validation.
    """
    here = parent
    for depth, name in enumerate(names[:-1]):
        if type(here) is not dict:
            return ()
        below = here.get(name)
        if below is None:
            nested = _nested(names[depth + 1 :], value)
            return (Operation("add", at + pointer(*names[: depth + 1]), nested),)
        here = below
    if type(here) is not dict:
        return ()
    return (Operation("add", at + pointer(*names), value),)


def put_all(parent: Json, at: str, names: Sequence[str], additions: Mapping[str, Json]) -> _Fix:
    """Return the operations that set several members of one object, made where it is missing."""
    here = parent
    for name in names:
        here = here.get(name) if type(here) is dict else False
        if here is None:
            return put(parent, at, names, dict(additions))
    return tuple(
        [
            operation
            for name, value in additions.items()
            for operation in put(parent, at, (*names, name), value)
        ]
    )


def append(parent: Json, at: str, names: Sequence[str], values: Sequence[Json]) -> _Fix:
    """Return the operations that append to an array, which is made where it is missing."""
    here = parent
    for name in names:
        here = here.get(name) if type(here) is dict else False
        if here is None:
            return put(parent, at, names, list(values))
    if type(here) is not list:
        return ()
    end = f"{at}{pointer(*names)}/-"
    return tuple([Operation("add", end, value) for value in values])


def _nested(names: Sequence[str], value: Json) -> Json:
    for name in reversed(names):
        value = {name: value}
    return value
