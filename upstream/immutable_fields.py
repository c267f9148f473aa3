"""The fields of custom resources that the API server lets nobody change once they are there."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from upstream.schema_files import IMMUTABLE_FILE, committed_schemas


class Reach(StrEnum):
    """What of a field is refused."""

    CHANGE = "change"
    """Another value; it may be added or removed."""
    ONCE_SET = "once set"
    """Another value, and removing it."""
    PRESENCE = "presence"
    """Adding and removing it; it may have another value."""


@dataclass(frozen=True, slots=True, order=True)
class ImmutableField:
    """A field of one kind, and what of it is refused."""

    kind: str
    """As `NodePool.karpenter.sh`."""
    path: tuple[str, ...]
    """Names of fields from the top; lists on the way count as their items."""
    reach: Reach


@cache
def committed_immutable_fields() -> Mapping[str, tuple[ImmutableField, ...]]:
    """Return the immutable fields of the pinned definitions, by kind."""
    kinds = json.loads((committed_schemas() / IMMUTABLE_FILE).read_bytes())
    return {
        kind: tuple(
            ImmutableField(kind, tuple(path.split(".")), Reach(reach))
            for path, reach in fields.items()
        )
        for kind, fields in kinds.items()
    }


def to_json(fields: Iterable[ImmutableField]) -> bytes:
    """Return them as JSON, by kind and path, sorted."""
    kinds: dict[str, dict[str, str]] = {}
    for field in sorted(fields):
        kinds.setdefault(field.kind, {})[".".join(field.path)] = field.reach.value
    return f"{json.dumps(kinds, indent=1)}\n".encode()
