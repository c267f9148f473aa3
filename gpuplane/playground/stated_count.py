"""Counts that a manifest states."""

from collections.abc import Mapping
from typing import TypeVar

from policies.document import Json

_Default = TypeVar("_Default", int, None)


def stated_count(fields: Mapping[str, Json], name: str, default: _Default) -> int | _Default:
    """Return the whole number in a field; the default where there is none."""
    value = fields.get(name)
    return value if type(value) is int else default
