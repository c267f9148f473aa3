"""What an operation on a pod changes of all that is read of it ahead."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

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
"""Objects and arrays that are looked up ahead: what changes inside of them is seen anyway."""
_NOT_KEPT = (
    *sorted(f"{root}/" for root in _ROOTS),
    "/spec/affinity",
    "/spec/preemptionPolicy",
    "/spec/priority",
    "/spec/runtimeClassName",
)
"""Places of which nothing is read ahead."""
_IN_CONTAINER = re.compile(r"(/spec/\w+/\d+)/(env|volumeMounts|resources)(?:/|$)")
_MAX_CACHED_LENGTH = 256
"""Characters of a path of which it is kept what it changes; longer ones fill no memory."""


class Part(NamedTuple):
    """What an operation changes of all that is read ahead."""

    name: str
    pointer: str = ""
    """To the container whose resources it changes."""


ALL = Part("all")
"""It may change everything."""
ROOT = Part("root")
"""It puts another object or array in the place of one that is looked up ahead."""
ENV = Part("env")
"""It changes which environment variables containers set."""
NOTHING = Part("nothing")
"""It changes only what is looked up each time."""


def changed_part(path: str) -> Part:
    """Return what an operation at the path changes."""
    return _kept_part(path) if len(path) <= _MAX_CACHED_LENGTH else _find_part(path)


def _find_part(path: str) -> Part:
    if path in _ROOTS:
        return ROOT
    if path.startswith(_NOT_KEPT):
        return NOTHING
    matched = _IN_CONTAINER.match(path)
    if matched is None:
        return ALL
    container, member = matched.groups()
    if member == "resources":
        return Part("resources", container)
    return ENV if member == "env" else NOTHING


_kept_part = lru_cache(maxsize=1024)(_find_part)
