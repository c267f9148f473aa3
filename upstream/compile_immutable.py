"""Compiling CustomResourceDefinitions to the fields that the API server lets nobody change.

A rule that reads `oldSelf` is judged only where both sides have the field that it stands at.
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#transition-rules
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from upstream.compile_crds import KIND
from upstream.immutable_fields import ImmutableField, Reach

_FORMS: tuple[tuple[re.Pattern[str], Reach], ...] = (
    (re.compile(r"self == oldSelf"), Reach.CHANGE),
    (re.compile(r"self\.(\w+) == oldSelf\.\1"), Reach.CHANGE),
    (re.compile(r"!has\(oldSelf\.(\w+)\) \|\| self\.\1 == oldSelf\.\1"), Reach.ONCE_SET),
    (re.compile(r"has\(self\.(\w+)\) == has\(oldSelf\.\1\)"), Reach.PRESENCE),
)
"""What such rules look like. Others depend on more than one field, or on the status."""


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
