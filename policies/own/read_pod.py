"""A pod as rules of a platform team's own read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from policies.document import Document, Json

MAX_READ = 128 * 1024
"""Characters of a pod, about; an honest one has some thousands. Each step of a macro can look
through as many."""
MAX_LEVELS = 64
"""No field of a pod lies deeper, and the evaluator follows levels by recursion."""
_AMOUNTS = ("limits", "requests", "overhead")
"""Fields that hold quantities by name, which the API server writes as strings."""
_NUL = "\0"
_REST = 8
"""Characters of a number, a literal, an empty text, or what separates two members."""


class TooLargeError(ValueError):
    """A pod is larger than rules read."""


class NulError(ValueError):
    """A text of a pod has a NUL, with which it would end for the evaluator."""


def read_pod(document: Document) -> Document:
    """Return a copy without what the API server leaves out, and without what field managers say.

    Quantities of resources are strings in it, as the API server writes them. Raises TooLargeError,
    and NulError.
    """
    metadata = document.get("metadata")
    if type(metadata) is dict and "managedFields" in metadata:
        kept = {name: each for name, each in metadata.items() if name != "managedFields"}
        document = {**document, "metadata": kept}
    reading = _Reading()
    copy: Document = reading.copied(document, MAX_LEVELS)
    return copy


class _Reading:
    def __init__(self) -> None:
        self._left = MAX_READ

    def copied(self, value: Json, levels: int) -> Json:
        self._left -= (type(value) is str and len(value)) or _REST
        if self._left < 0:
            raise TooLargeError
        if type(value) is str and _NUL in value:
            raise NulError
        if levels and type(value) is dict:
            self._left -= sum(map(len, value))
            if any(_NUL in name for name in value):
                raise NulError
            members = {k: self.copied(v, levels - 1) for k, v in value.items() if v is not None}
            return {k: _written(v) if k in _AMOUNTS else v for k, v in members.items()}
        if levels and type(value) is list:
            return [self.copied(each, levels - 1) for each in value]
        return None if type(value) in (dict, list) else value


def _written(amounts: Json) -> Json:
    if type(amounts) is not dict:
        return amounts
    return {k: str(v) if type(v) in (int, float) else v for k, v in amounts.items()}
