"""The operations that put something into a document, whatever stands there already."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from policies.document import escaped, pointer
from policies.operation import Operation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from policies.document import Json

_Fix = tuple[Operation, ...]


def put(parent: Json, at: str, names: tuple[str, ...], value: Json) -> _Fix:
    """Return the operation that sets a member, with the objects above it where they are missing.

    `at` is the JSON Pointer of the parent, the names lead from there. Nothing where something else
    than an object stands above the member: a malformed pod is left to the API server's validation.
    """
    return put_all(parent, at, names[:-1], {names[-1]: value})


def put_all(parent: Json, at: str, names: tuple[str, ...], additions: Mapping[str, Json]) -> _Fix:
    """Return the operations that set several members of one object, made where it is missing."""
    here, depth = _reach(parent, names)
    if type(here) is not dict:
        return ()
    if depth < len(names):
        return _made(at, names, depth, dict(additions))
    above = at + _place(names)
    return tuple(
        [Operation("add", f"{above}/{escaped(name)}", value) for name, value in additions.items()]
    )


def append(parent: Json, at: str, names: tuple[str, ...], values: Sequence[Json]) -> _Fix:
    """Return the operations that append to an array, which is made where it is missing."""
    here, depth = _reach(parent, names)
    if depth < len(names):
        return _made(at, names, depth, list(values)) if type(here) is dict else ()
    if type(here) is not list:
        return ()
    end = f"{at}{_place(names)}/-"
    return tuple([Operation("add", end, value) for value in values])


def _reach(here: Json, names: tuple[str, ...]) -> tuple[Json, int]:
    """Follow the names as far as there is something; return what stands there, and how far."""
    for depth, name in enumerate(names):
        below = here.get(name) if type(here) is dict else None
        if below is None:
            return here, depth
        here = below
    return here, len(names)


def _made(at: str, names: tuple[str, ...], depth: int, value: Json) -> _Fix:
    """Return the operation that makes all from that depth on, the value innermost."""
    for name in reversed(names[depth + 1 :]):
        value = {name: value}
    return (Operation("add", at + _place(names[: depth + 1]), value),)


@lru_cache(maxsize=256)
def _place(names: tuple[str, ...]) -> str:
    """Return the JSON Pointer; the names are those that rules state, never a pod's."""
    return pointer(*names)
