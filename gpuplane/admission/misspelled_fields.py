"""Fields whose names are nearly those that lead to a place in a workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gpus.nearest import is_one_typo
from policies.workloads.place import EVERY, at

if TYPE_CHECKING:
    from collections.abc import Iterator


class MisspelledField(NamedTuple):
    """A field that stands where one of another name is missing."""

    holder: str
    """JSON Pointer to what has the field."""
    name: str
    meant: str


def misspelled_fields(document: Any, place: str) -> Iterator[MisspelledField]:
    """Yield the fields that are probably meant as one of those that lead to a place.

    A name differs from the right one by a single typo, or in upper and lower case.
    """
    steps = place.split("/")
    for depth, meant in enumerate(steps[1:], start=1):
        if meant != EVERY:
            for holder, value in at(document, "/".join(steps[:depth])):
                if isinstance(value, dict) and meant not in value:
                    close = (name for name in value if _is_nearly(name, meant))
                    yield from (MisspelledField(holder, name, meant) for name in close)


def _is_nearly(name: Any, meant: str) -> bool:
    return isinstance(name, str) and (name.lower() == meant.lower() or is_one_typo(name, meant))
