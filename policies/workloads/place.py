"""Places in a workload: JSON Pointers in which `*` stands for every element or member."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.document import Json

EVERY = "*"


def at(document: Json, place: str) -> Iterator[tuple[str, Json]]:
    """Yield what is at a place, each value with its JSON Pointer; nothing where it is missing."""
    return _below(document, place.split("/")[1:], "")


def _below(here: Json, tokens: list[str], pointer: str) -> Iterator[tuple[str, Json]]:
    if not tokens:
        yield pointer, here
        return
    token, *rest = tokens
    if token == EVERY:
        for name, below in _children(here):
            yield from _below(below, rest, f"{pointer}/{name}")
    elif type(here) is dict and token in here:
        yield from _below(here[token], rest, f"{pointer}/{token}")


def _children(here: Json) -> Iterator[tuple[str, Json]]:
    if type(here) is dict:
        for name, below in here.items():
            yield escaped(name), below
    elif type(here) is list:
        for index, below in enumerate(here):
            yield str(index), below
