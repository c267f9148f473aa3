"""Fields of objects: their values, their paths, and those that a change takes apart."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any, TypeAlias

from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.difference_format import shown_value

Segments: TypeAlias = tuple[str, ...]
"""The names of a field and those above it; a list has no name for its items."""
_SEGMENT = re.compile(r'\["(?P<quoted>(?:[^"\\]|\\.)*)"\]|\[[^\]]*\]|(?P<plain>[^.\[]+)')
_ORDER = " (order)"


def kind_of(key: ObjectKey) -> str:
    """Return a kind as `NodePool.karpenter.sh`; the core group has no name."""
    return f"{key.kind}.{key.group}" if key.group else key.kind


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A field that differs, as deep as it goes: one that is absent on a side is taken apart."""

    segments: Segments
    declared_at: Segments
    """The segments of the field that only one side has, which holds this one; else its own."""
    path: str
    """A path such as `spec.template.spec.containers[name=main].image`."""
    old: Any
    new: Any

    @property
    def is_added(self) -> bool:
        return self.old is Absent.ABSENT

    @property
    def is_removed(self) -> bool:
        return self.new is Absent.ABSENT

    @property
    def is_order(self) -> bool:
        return self.path.endswith(_ORDER)


@cache
def segments_of(path: str) -> Segments:
    """Return the names on a path such as `a.b["c"]`."""
    found = _SEGMENT.finditer(path.removesuffix(_ORDER))
    names = ((each["quoted"], each["plain"]) for each in found)
    return tuple(name for pair in names for name in pair if name is not None)


def shown(value: Any) -> str:
    """Return the value of a field as a reason names it."""
    if value is Absent.ABSENT:
        return "none"
    return value if isinstance(value, str) else shown_value(value)


def leaves(change: FieldChange) -> Iterator[ChangedField]:
    """Yield the change, or those of its members where only one side has the mapping."""
    declared_at = segments_of(change.path)
    yield from _leaves(change.path, declared_at, declared_at, (change.old, change.new))


def _leaves(
    path: str, segments: Segments, declared_at: Segments, sides: tuple[Any, Any]
) -> Iterator[ChangedField]:
    old, new = sides
    present = new if old is Absent.ABSENT else old if new is Absent.ABSENT else None
    if not isinstance(present, Mapping) or not present:
        yield ChangedField(segments, declared_at, path, old, new)
        return
    for key, value in present.items():
        member = (Absent.ABSENT, value) if old is Absent.ABSENT else (value, Absent.ABSENT)
        below = f"{path}.{key}" if re.fullmatch(r"[\w-]+", str(key)) else f'{path}["{key}"]'
        yield from _leaves(below, (*segments, str(key)), declared_at, member)


def is_below(segments: Segments, pattern: Segments) -> bool:
    """Say whether a field is the one of a pattern, or stands in it; `*` is any name."""
    return len(segments) >= len(pattern) and all(
        wanted in ("*", name) for name, wanted in zip(segments, pattern, strict=False)
    )


def shared_path(paths: tuple[str, ...]) -> str:
    """Return the path of the deepest field that holds all of these; empty of none."""
    if len(paths) < 2:  # nothing is shared
        return "".join(paths)
    steps = zip(*(_parts(path) for path in paths), strict=False)
    shared = takewhile(lambda names: len(set(names)) == 1, steps)
    return "".join(names[0] for names in shared).removeprefix(".")


def _parts(path: str) -> list[str]:
    return [each[0] for each in re.finditer(r'\.?[^.\["]+|\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]', path)]
