"""The smallest changes that make one value of another."""

from collections.abc import Iterator
from typing import Any

from policies.document import pointer
from policies.operation import Operation


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: 1 is not true, nor 1.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def narrowed(old: Any, new: Any, path: str) -> Iterator[Operation]:
    """Yield the operations that make a value at a path another; none where both are the same."""
    if same(old, new):
        return
    if old and new and isinstance(old, dict) and isinstance(new, dict):
        yield from _members(old, new, path)
    elif old and new and isinstance(old, list) and isinstance(new, list):
        yield from _items(old, new, path)
    else:
        yield Operation("replace", path, new)


def _members(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[Operation]:
    for name, value in new.items():
        place = f"{path}{pointer(name)}"
        if name in old:
            yield from narrowed(old[name], value, place)
        else:
            yield Operation("add", place, value)
    gone = (name for name in old if name not in new)
    yield from (Operation("remove", f"{path}{pointer(name)}") for name in gone)


def _items(old: list[Any], new: list[Any], path: str) -> Iterator[Operation]:
    """Yield what changes between the items that both begin and end with."""
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if not same(old[at], new[at])), shorter)
    rest = shorter - first
    alike = next((at for at in range(rest) if not same(old[-1 - at], new[-1 - at])), rest)
    common = shorter - alike
    for at in range(first, common):
        yield from narrowed(old[at], new[at], f"{path}/{at}")
    for at in range(common, len(new) - alike):
        yield Operation("add", f"{path}/{at}", new[at])
    for at in reversed(range(common, len(old) - alike)):
        yield Operation("remove", f"{path}/{at}")
