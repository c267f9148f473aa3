"""Formatting a difference for a terminal, for scripts and for the summary of a pull request.

Each line for a terminal begins with what happened: `+`, `-`, `~`.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from difflib import unified_diff
from itertools import islice
from typing import Any

from charts_py.objects.fields import Absent, FieldChange
from gpuplane.json_output import attributes
from gpuplane.tables import code, escaped, fenced
from gpuplane.versions.comparison import (
    ChangedObject,
    ObjectDifference,
    PlacedObject,
    Subject,
    VersionDifference,
)

MAX_CHARACTERS = 100_000
"""Fields of changed objects are shown up to here. A job's summary holds 1 MiB, and one that is
longer is not shown at all
(https://docs.github.com/actions/reference/workflow-commands-for-github-actions)."""
SUBJECTS = {
    Subject.LIVE: "what Argo CD syncs",
    Subject.RENDERED: "what is rendered",
    Subject.NAMED: "",
}
"""What a comparison is about, in words."""


def text_lines(difference: VersionDifference) -> Iterator[str]:
    versions = compared(difference.cluster, difference.subject, difference.old, difference.new)
    yield f"{versions}: {difference.objects}"
    yield from object_lines(difference.objects)


def compared(cluster: str, subject: Subject, old: str | None, new: str | None) -> str:
    """Return what is compared: `training, what Argo CD syncs: 1.2.0 -> 1.3.0`."""
    about = SUBJECTS[subject]
    place = f"{cluster}, {about}" if about else cluster
    return f"{place}: {old or 'nothing'} -> {new or 'nothing'}"


def object_lines(objects: ObjectDifference) -> Iterator[str]:
    yield from (f"+ {placed}" for placed in objects.added)
    yield from (f"- {placed}" for placed in objects.removed)
    for changed in objects.changed:
        yield f"~ {changed.placed}"
        for field in changed.fields:
            yield from (f"    {line}" for line in _field_lines(field))


def _field_lines(change: FieldChange) -> Iterator[str]:
    if is_multi_line(change):
        yield f"{change.path}:"
        yield from (f"  {line}" for line in changed_lines(change))
    elif change.old is Absent.ABSENT:
        yield f"+ {change.path}: {shown_value(change.new)}"
    elif change.new is Absent.ABSENT:
        yield f"- {change.path}: {shown_value(change.old)}"
    else:
        yield f"{change.path}: {shown_value(change.old)} -> {shown_value(change.new)}"


def is_multi_line(change: FieldChange) -> bool:
    sides = [side for side in (change.old, change.new) if side is not Absent.ABSENT]
    return all(isinstance(side, str) for side in sides) and any("\n" in side for side in sides)


def shown_value(value: Any) -> str:
    if value is Absent.ABSENT:
        return "nothing"
    return json.dumps(value, ensure_ascii=False, default=str)


def changed_lines(change: FieldChange) -> Iterator[str]:
    """Yield the unified diff of multi-line text, without the names of files."""
    old, new = (_lines(side) for side in (change.old, change.new))
    yield from islice(unified_diff(old, new, lineterm=""), 2, None)


def _lines(side: Any) -> list[str]:
    """Return the lines of a side; one that ends without a newline says so, as git does."""
    if side is Absent.ABSENT:
        return []
    *lines, last = str(side).split("\n")
    return [*lines, f"{last} (no newline at the end)"] if last else lines


def to_json(differences: Iterable[VersionDifference]) -> list[dict[str, Any]]:
    return [
        {
            **attributes(difference, "cluster", "subject", "old", "new", "rendered_here"),
            "added": [placed_fields(placed) for placed in difference.objects.added],
            "removed": [placed_fields(placed) for placed in difference.objects.removed],
            "changed": [
                {**placed_fields(one.placed), "fields": [_field(field) for field in one.fields]}
                for one in difference.objects.changed
            ],
        }
        for difference in differences
    ]


def placed_fields(placed: PlacedObject) -> dict[str, Any]:
    return {"component": placed.component, **asdict(placed.key)}


def _field(change: FieldChange) -> dict[str, Any]:
    """Leave out a side that does not have the field."""
    sides = attributes(change, "path", "old", "new")
    return {name: value for name, value in sides.items() if value is not Absent.ABSENT}


def to_markdown(difference: VersionDifference) -> str:
    return "\n".join(_section(difference)) + "\n"


def _section(difference: VersionDifference) -> Iterator[str]:
    objects = difference.objects
    versions = f"{_version(difference.old)} → {_version(difference.new)}"
    yield f"### {escaped(difference.cluster)}: {versions}"
    yield ""
    about = SUBJECTS[difference.subject]
    said = f"{about}: {objects}." if about else f"{objects}."
    yield said[0].upper() + said[1:]
    yield ""
    yield from _listed("added", objects.added)
    yield from _listed("removed", objects.removed)
    yield from _within_limit(objects.changed)


def _version(version: str | None) -> str:
    return code(version) if version else "nothing"


def _listed(word: str, placed: tuple[PlacedObject, ...]) -> Iterator[str]:
    if placed:
        body = "\n".join(f"- {code(str(one))}" for one in placed)
        yield details(f"{len(placed)} {word}", body)


def _within_limit(changed: tuple[ChangedObject, ...]) -> Iterator[str]:
    length = 0
    for number, one in enumerate(changed):
        fields = "\n".join(line for field in one.fields for line in diff_lines(field))
        shown = details(f"changed: {code(str(one.placed))}", fenced(fields, "diff"))
        length += len(shown)
        if length > MAX_CHARACTERS:
            left = len(changed) - number
            yield f"{left} more changed objects are too long to show; `gpuplane diff` lists them."
            return
        yield shown


def details(summary: str, body: str) -> str:
    """Return Markdown that is folded, under a summary in HTML."""
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>\n"


def diff_lines(change: FieldChange) -> Iterator[str]:
    """Yield a change as the language `diff` of Markdown has it."""
    if is_multi_line(change):
        yield f"  {change.path}:"
        yield from changed_lines(change)
        return
    if change.old is not Absent.ABSENT:
        yield f"- {change.path}: {shown_value(change.old)}"
    if change.new is not Absent.ABSENT:
        yield f"+ {change.path}: {shown_value(change.new)}"
