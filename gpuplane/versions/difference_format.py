"""Formatting a difference for a terminal; each line begins with what happened: `+`, `-`, `~`."""

from collections.abc import Iterator

from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.comparison import Subject, VersionDifference
from gpuplane.versions.difference import ObjectDifference
from gpuplane.versions.values import changed_lines, is_multi_line, shown_value

SUBJECTS = {
    Subject.LIVE: "what Argo CD syncs",
    Subject.RENDERED: "what is rendered",
    Subject.NAMED: "",
}
"""What a comparison is about, in words."""


def text_lines(difference: VersionDifference) -> Iterator[str]:
    """Yield the lines of one comparison."""
    subject = SUBJECTS[difference.subject]
    about = f", {subject}" if subject else ""
    versions = f"{difference.old or 'nothing'} -> {difference.new or 'nothing'}"
    yield f"{difference.cluster}{about}: {versions}: {difference.objects}"
    yield from object_lines(difference.objects)


def object_lines(objects: ObjectDifference) -> Iterator[str]:
    """Yield the objects that differ, with their fields."""
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
