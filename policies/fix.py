"""The operations that put something into a document, whatever is there already."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from policies.document import Json, escaped, pointer
from policies.operation import Operation

_Fix = tuple[Operation, ...]


def put(parent: Json, at: str, names: tuple[str, ...], value: Json) -> _Fix:
    """Return the operation that sets a member, with the objects above it where they are missing.

    `at` is the JSON Pointer of the parent; the names lead on from there. Empty where what is above
    the member is not an object: a malformed pod is left to the API server's validation.
    """
    return put_all(parent, at, names[:-1], {names[-1]: value})


def put_all(parent: Json, at: str, names: tuple[str, ...], additions: Mapping[str, Json]) -> _Fix:
    """Return the operations that set several members of an object, created where it is missing."""
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
    """Return the operations that append to an array, which is created where it is missing."""
    here, depth = _reach(parent, names)
    if depth < len(names):
        return _made(at, names, depth, list(values)) if type(here) is dict else ()
    if type(here) is not list:
        return ()
    end = f"{at}{_place(names)}/-"
    return tuple([Operation("add", end, value) for value in values])


def _reach(here: Json, names: tuple[str, ...]) -> tuple[Json, int]:
    """Follow the names as far as they lead; return what is there, and how many were followed."""
    for depth, name in enumerate(names):
        below = here.get(name) if type(here) is dict else None
        if below is None:
            return here, depth
        here = below
    return here, len(names)


def _made(at: str, names: tuple[str, ...], depth: int, value: Json) -> _Fix:
    """Return the operation that creates everything below that depth, the value innermost."""
    for name in reversed(names[depth + 1 :]):
        value = {name: value}
    return (Operation("add", at + _place(names[: depth + 1]), value),)


@lru_cache(maxsize=256)
def _place(names: tuple[str, ...]) -> str:
    """Return the JSON Pointer; the names come from rules, never from a pod."""
    return pointer(*names)
