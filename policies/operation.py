"""One operation of a JSON Patch (https://www.rfc-editor.org/rfc/rfc6902)."""

import re
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from policies.document import Document, Json

_ROOTS = frozenset(
    {
        "/metadata",
        "/metadata/annotations",
        "/metadata/labels",
        "/spec/nodeSelector",
        "/spec/tolerations",
        "/spec/volumes",
    }
)
"""Objects and arrays that are looked up in advance: a change inside them is seen anyway."""
_NOT_READ = (
    *sorted(f"{root}/" for root in _ROOTS),
    "/spec/affinity",
    "/spec/preemptionPolicy",
    "/spec/priority",
    "/spec/runtimeClassName",
)
"""Places from which nothing is read in advance."""
_IN_CONTAINER = re.compile(r"(/spec/\w+/\d+)/(env|volumeMounts|resources)(?:/|$)")
_MAX_CACHED_LENGTH = 256
"""Characters; longer paths are not cached, so that nobody can fill the memory with them."""


class Part(NamedTuple):
    """Which of the values that are read in advance an operation changes."""

    name: str
    pointer: str = ""
    """To the container whose resources it changes."""


ALL = Part("all")
"""It may change everything."""
ROOT = Part("root")
"""It replaces an object or array that is looked up in advance."""
ENV = Part("env")
"""It changes which environment variables containers set."""
NOTHING = Part("nothing")
"""It changes only what is looked up each time."""


def _find_part(path: str) -> Part:
    if path in _ROOTS:
        return ROOT
    if path.startswith(_NOT_READ):
        return NOTHING
    matched = _IN_CONTAINER.match(path)
    if matched is None:
        return ALL
    container, member = matched.groups()
    if member == "resources":
        return Part("resources", container)
    return ENV if member == "env" else NOTHING


_cached_part = lru_cache(maxsize=1024)(_find_part)
OperationName: TypeAlias = Literal["add", "replace", "remove"]


class Operation(NamedTuple):
    """One operation of a JSON Patch; a tuple, since a dataclass is four times as slow to create."""

    op: OperationName
    path: str
    """JSON Pointer to the place that it changes."""
    value: Json = None
    """What is added or replaces the old value; unused by `remove`."""

    def to_json(self) -> Document:
        """Return the operation in the format of RFC 6902."""
        if self.op == "remove":
            return {"op": self.op, "path": self.path}
        return {"op": self.op, "path": self.path, "value": self.value}


def changed_part(path: str) -> Part:
    """Return what an operation at the path changes."""
    return _cached_part(path) if len(path) <= _MAX_CACHED_LENGTH else _find_part(path)
