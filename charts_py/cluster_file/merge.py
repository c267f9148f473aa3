"""Merging a cluster's own file over what the fleet shares."""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, TypeVar

from charts_py.cluster_file.fault import Fault, FieldPath, Problem
from charts_py.cluster_file.source import Source

Kept = TypeVar("Kept")


def lay_over(shared: Source, own: Source) -> Source:
    """Return both as one: mappings are merged key by key, everything else is replaced as a whole.

    Each value keeps the line of the file that it comes from. What the fleet shares is a fault where
    it is not a mapping and a cluster has one: the whole value would go unread.
    """
    if shared.content is None or own.content is None:
        return Source(None, {**shared.marks, **own.marks}, (*shared.faults, *own.faults))
    replaced: set[FieldPath] = set()
    content = _merged(shared.content, own.content, (), replaced)
    unread = _unread(shared, own.content, replaced)
    return Source(
        content,
        {**_kept(shared.marks, replaced), **own.marks},
        (*shared.faults, *own.faults, *unread),
        {**_kept(shared.numbers, replaced), **own.numbers},
    )


def _kept(shared: Mapping[FieldPath, Kept], replaced: Set[FieldPath]) -> dict[FieldPath, Kept]:
    """Return what stands at paths that no cluster has replaced."""
    return {
        path: value
        for path, value in shared.items()
        if not any(path[:length] in replaced for length in range(1, len(path) + 1))
    }


def _unread(
    shared: Source, own: Mapping[str, Any], replaced: Iterable[FieldPath]
) -> Iterator[Fault]:
    for path in replaced:
        if path in shared.marks and isinstance(_value_at(own, path), Mapping):
            what = _shape(_value_at(shared.content, path))
            problem = Problem(path, f"{what} is given, and a mapping in a cluster", "a mapping")
            yield Fault(shared.marks[path], problem)


def _value_at(content: Any, path: FieldPath) -> Any:
    for step in path:
        content = content[step]
    return content


def _shape(value: Any) -> str:
    if value is None:
        return "no value"
    return "a list" if isinstance(value, list) else "a single value"


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
