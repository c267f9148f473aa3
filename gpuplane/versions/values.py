"""Formatting the change of one field for people."""

import json
from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

from charts_py.objects.fields import Absent, FieldChange


def is_multi_line(change: FieldChange) -> bool:
    """Return whether a field is multi-line text, on the sides that have it."""
    sides = [side for side in (change.old, change.new) if side is not Absent.ABSENT]
    return all(isinstance(side, str) for side in sides) and any("\n" in side for side in sides)


def shown_value(value: Any) -> str:
    """Return a value on one line, as JSON."""
    return json.dumps(value, ensure_ascii=False, default=str)


def changed_lines(change: FieldChange) -> Iterator[str]:
    """Yield the unified diff of multi-line text, without the names of files."""
    old, new = (_lines(side) for side in (change.old, change.new))
    difference = unified_diff(old, new, lineterm="")
    for number, line in enumerate(difference):
        if number > 1:
            yield line


def _lines(side: Any) -> list[str]:
    """Return the lines of a side; one that ends without a newline says so, as git does."""
    if side is Absent.ABSENT:
        return []
    lines = str(side).split("\n")
    if lines[-1]:
        return [*lines[:-1], f"{lines[-1]} (no newline at the end)"]
    return lines[:-1]
