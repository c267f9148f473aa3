"""Merging a cluster's own file over what the fleet shares."""

from collections.abc import Mapping
from typing import Any

from charts_py.spec.fault import FieldPath
from charts_py.spec.source import Source


def lay_over(shared: Source, own: Source) -> Source:
    """Return both as one: mappings are merged key by key, everything else is replaced as a whole.

    Each value keeps the line of the file that it comes from.
    """
    if shared.content is None or own.content is None:
        return Source(None, {**shared.marks, **own.marks}, (*shared.faults, *own.faults))
    replaced: set[FieldPath] = set()
    content = _merged(shared.content, own.content, (), replaced)
    kept = {
        path: mark
        for path, mark in shared.marks.items()
        if not any(path[:length] in replaced for length in range(1, len(path) + 1))
    }
    return Source(content, {**kept, **own.marks}, (*shared.faults, *own.faults))


def _merged(
    shared: Mapping[str, Any], own: Mapping[str, Any], path: FieldPath, replaced: set[FieldPath]
) -> dict[str, Any]:
    merged = dict(shared)
    for key, value in own.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[key] = _merged(below, value, (*path, key), replaced)
        else:
            replaced.add((*path, key))
            merged[key] = value
    return merged
