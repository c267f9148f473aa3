"""The fields of custom resources that the API server lets nobody change once they are there.

A rule that reads `oldSelf` is judged only where both sides have the field that it stands at.
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#transition-rules
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from upstream.compile_crds import KIND
from upstream.schema_files import IMMUTABLE_FILE, committed_schemas


class Reach(StrEnum):
    """The changes of a field that the API server refuses."""

    CHANGE = "change"
    """Another value; it may be added or removed."""
    ONCE_SET = "once set"
    """Another value, and removing it."""
    PRESENCE = "presence"
    """Adding and removing it; it may have another value."""


_FORMS: tuple[tuple[re.Pattern[str], Reach], ...] = (
    (re.compile(r"self == oldSelf"), Reach.CHANGE),
    (re.compile(r"self\.(\w+) == oldSelf\.\1"), Reach.CHANGE),
    (re.compile(r"!has\(oldSelf\.(\w+)\) \|\| self\.\1 == oldSelf\.\1"), Reach.ONCE_SET),
    (re.compile(r"has\(self\.(\w+)\) == has\(oldSelf\.\1\)"), Reach.PRESENCE),
)
"""The forms of such rules. Others depend on more than one field, or on the status."""


@dataclass(frozen=True, slots=True, order=True)
class ImmutableField:
    """A field of one kind, and the changes of it that are refused."""

    kind: str
    """A kind as `NodePool.karpenter.sh`."""
    path: tuple[str, ...]
    """Names of fields from the top; lists on the way count as their items."""
    reach: Reach


@cache
def committed_immutable_fields() -> Mapping[str, tuple[ImmutableField, ...]]:
    kinds = json.loads((committed_schemas() / IMMUTABLE_FILE).read_bytes())
    return {
        kind: tuple(
            ImmutableField(kind, tuple(path.split(".")), Reach(reach))
            for path, reach in fields.items()
        )
        for kind, fields in kinds.items()
    }


def to_json(fields: Iterable[ImmutableField]) -> bytes:
    kinds: dict[str, dict[str, str]] = {}
    for field in sorted(fields):
        kinds.setdefault(field.kind, {})[".".join(field.path)] = field.reach.value
    return f"{json.dumps(kinds, indent=1)}\n".encode()


def compile_immutable_fields(documents: Iterable[Mapping[str, Any]]) -> set[ImmutableField]:
    """Return the immutable fields of the served versions of these definitions, but of the status.

    Documents of other kinds are skipped.
    """
    return {
        ImmutableField(f"{names['kind']}.{document['spec']['group']}", *found)
        for document in documents
        if document.get("kind") == KIND and (names := document["spec"]["names"])
        for version in document["spec"]["versions"]
        if version["served"]
        for found in _immutable(version["schema"]["openAPIV3Schema"], ())
        if found[0][:1] != ("status",)
    }


def _immutable(
    schema: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Reach]]:
    for rule in schema.get("x-kubernetes-validations", ()):
        for form, reach in _FORMS:
            if found := form.fullmatch(" ".join(rule["rule"].split())):
                yield (*path, *found.groups()), reach
    for name, child in schema.get("properties", {}).items():
        yield from _immutable(child, (*path, name))
    if isinstance(items := schema.get("items"), Mapping):
        yield from _immutable(items, path)
