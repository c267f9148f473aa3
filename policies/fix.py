"""The operations that put something into a document, whatever stands there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import pointer
from policies.operation import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from policies.document import Document, Json

_Fix = tuple[Operation, ...]


def put(document: Document, tokens: Sequence[str | int], value: Json) -> _Fix:
    """Return the operation that sets a member, with the objects above it where they are missing.

    Nothing where something else than an object stands above it: a malformed pod is left to the
    API server's own validation.
    """
    here: Json = document
    for depth, token in enumerate(tokens[:-1]):
        below = _below(here, token)
        if below is None:
            nested = _nested(tokens[depth + 1 :], value)
            return (Operation("add", pointer(*tokens[: depth + 1]), nested),)
        here = below
    if type(here) is not dict:
        return ()
    return (Operation("add", pointer(*tokens), value),)


def append(document: Document, tokens: Sequence[str | int], values: Sequence[Json]) -> _Fix:
    """Return the operations that append to an array, which is made where it is missing."""
    here: Json = document
    for token in tokens:
        here = _below(here, token)
        if here is None:
            return put(document, tokens, list(values))
    if type(here) is not list:
        return ()
    end = pointer(*tokens, "-")
    return tuple([Operation("add", end, value) for value in values])


def _below(here: Json, token: str | int) -> Json:
    """Return what stands there; None where nothing does, False where nothing can."""
    if type(here) is dict:
        return here.get(token)
    if type(here) is list and type(token) is int and token < len(here):
        return here[token]
    return False


def _nested(tokens: Sequence[str | int], value: Json) -> Json:
    for token in reversed(tokens):
        value = {token: value}
    return value
