"""Formatting a difference as GitHub-flavoured Markdown, for the summary of a pull request."""

from collections.abc import Iterator

from charts_py.objects.fields import Absent, FieldChange
from gpuplane.tables import code, escaped, fenced
from gpuplane.versions.comparison import VersionDifference
from gpuplane.versions.difference import ChangedObject, PlacedObject
from gpuplane.versions.difference_format import SUBJECTS
from gpuplane.versions.values import changed_lines, is_multi_line, shown_value

MAX_CHARACTERS = 100_000
"""Fields of changed objects are shown up to here. A job's summary holds 1 MiB, and one that is
longer is not shown at all
(https://docs.github.com/actions/reference/workflow-commands-for-github-actions)."""


def to_markdown(difference: VersionDifference) -> str:
    """Return one comparison as a section."""
    return "\n".join(_section(difference)) + "\n"


def _section(difference: VersionDifference) -> Iterator[str]:
    objects = difference.objects
    versions = f"{_version(difference.old)} → {_version(difference.new)}"
    yield f"### {escaped(difference.cluster)}: {versions}"
    yield ""
    about = SUBJECTS[difference.subject]
    yield f"{_sentence(about)}: {objects}." if about else f"{_sentence(str(objects))}."
    yield ""
    yield from _listed("added", objects.added)
    yield from _listed("removed", objects.removed)
    yield from _within_limit(objects.changed)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _version(version: str | None) -> str:
    return code(version) if version else "nothing"


def _listed(word: str, placed: tuple[PlacedObject, ...]) -> Iterator[str]:
    if placed:
        body = "\n".join(f"- {code(str(one))}" for one in placed)
        yield _details(f"{len(placed)} {word}", body)


def _within_limit(changed: tuple[ChangedObject, ...]) -> Iterator[str]:
    length = 0
    for number, one in enumerate(changed):
        shown = _details(f"changed: {code(str(one.placed))}", _fields(one))
        length += len(shown)
        if length > MAX_CHARACTERS:
            left = len(changed) - number
            yield f"{left} more changed objects are too long to show; `gpuplane diff` lists them."
            return
        yield shown


def _details(summary: str, body: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>\n"


def _fields(changed: ChangedObject) -> str:
    body = "\n".join(line for field in changed.fields for line in _field_lines(field))
    return fenced(body, "diff")


def _field_lines(change: FieldChange) -> Iterator[str]:
    if is_multi_line(change):
        yield f"  {change.path}:"
        yield from changed_lines(change)
        return
    if change.old is not Absent.ABSENT:
        yield f"- {change.path}: {shown_value(change.old)}"
    if change.new is not Absent.ABSENT:
        yield f"+ {change.path}: {shown_value(change.new)}"
