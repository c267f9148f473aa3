"""Which fields differ between two values as JSON holds them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from itertools import zip_longest
from typing import Any

_IDENTIFIERS = ("name", "key")
"""Fields that tell the items of a list apart: containers and ports have names, taints and
tolerations keys."""
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]*")


class Absent(Enum):
    """The value of a field that is not there; `null` is a value."""

    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field with another value, or on one side only."""

    path: str
    """A path as `spec.template.spec.containers[name=main].image`; empty for the value as a
    whole."""
    old: Any
    new: Any


def changed_fields(old: Any, new: Any, path: str = "") -> Iterator[FieldChange]:
    """Yield the fields that differ, as deep as both sides have the same shape.

    Only equal values yield nothing; the order of keys does not count.
    """
    if is_same(old, new):
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _changed_member(old, new, key, f"{path}{_member(key)}".removeprefix("."))
    elif isinstance(old, Sequence) and isinstance(new, Sequence) and _have_parts(old, new):
        yield from _changed_items(old, new, path)
    else:
        yield FieldChange(path, old, new)


def is_same(old: Any, new: Any) -> bool:
    """Compare as JSON does, where 1, 1.0 and true differ."""
    if type(old) is not type(new):
        return False
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(is_same(old[key], new[key]) for key in old)
    if isinstance(old, list):
        return len(old) == len(new) and all(map(is_same, old, new))
    return bool(old == new)


def _have_parts(old: Sequence[Any], new: Sequence[Any]) -> bool:
    """Tell lists of mappings or lists from those of plain values, which are shown whole."""
    if isinstance(old, str) or isinstance(new, str):
        return False
    return any(isinstance(item, (dict, list)) for item in (*old, *new))


def _changed_member(
    old: Mapping[Any, Any], new: Mapping[Any, Any], key: Any, path: str
) -> Iterator[FieldChange]:
    if key in old and key in new:
        yield from changed_fields(old[key], new[key], path)
    else:
        yield FieldChange(path, old.get(key, Absent.ABSENT), new.get(key, Absent.ABSENT))


def _changed_items(old: Sequence[Any], new: Sequence[Any], path: str) -> Iterator[FieldChange]:
    for identifier in _IDENTIFIERS:
        if _identifies(identifier, old) and _identifies(identifier, new):
            yield from _changed_named(identifier, old, new, path)
            return
    yield from _changed_in_order(old, new, path)


def _identifies(identifier: str, items: Sequence[Any]) -> bool:
    names = [item.get(identifier) if isinstance(item, dict) else None for item in items]
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def _changed_named(
    identifier: str, old: Sequence[Any], new: Sequence[Any], path: str
) -> Iterator[FieldChange]:
    before = {item[identifier]: item for item in old}
    after = {item[identifier]: item for item in new}
    for name in [*before, *(name for name in after if name not in before)]:
        yield from _changed_member(before, after, name, f"{path}[{identifier}={name}]")
    kept = [name for name in before if name in after]
    order = [name for name in after if name in before]
    if kept != order:
        yield FieldChange(f"{path} (order)", kept, order)


def _changed_in_order(old: Sequence[Any], new: Sequence[Any], path: str) -> Iterator[FieldChange]:
    """Compare item by item, around those that stayed the same.

    The index is that of the new list; of the old one for an item that is gone.
    """
    matcher = SequenceMatcher(None, [*map(repr, old)], [*map(repr, new)], autojunk=False)
    for operation, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if operation == "equal":
            continue
        pairs = zip_longest(old[old_start:old_end], new[new_start:new_end], fillvalue=Absent.ABSENT)
        for offset, (before, after) in enumerate(pairs):
            start = old_start if after is Absent.ABSENT else new_start
            yield from changed_fields(before, after, f"{path}[{start + offset}]")


def _member(key: Any) -> str:
    text = str(key)
    return f".{text}" if _PLAIN_KEY.fullmatch(text) else f"[{json.dumps(text)}]"
