"""Findings on values that somebody fills in before a manifest is applied."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.lint.finding import LintSeverity
from charts_py.lint.object_finding import ObjectFinding
from charts_py.lint.object_subject import object_subject
from charts_py.lint.placeholder_places import placeholders
from charts_py.lint.reading_rule import ReadingRule
from charts_py.objects.document import Document
from policies.document import shown, unescaped
from policies.manifest_pod import objects

_Told = tuple[ObjectFinding, tuple[str, ...]]


def without_placeholders(told: Iterable[_Told], document: Document) -> Iterator[_Told]:
    """Yield one finding for each placeholder, and those that do not follow from any.

    What is wrong with `$GPU_PER_NODE` says nothing of the value that takes its place.
    """
    places: dict[str, str] = {}
    for at, one in objects(document):
        found = {f"{at}{pointer}": value for pointer, value in placeholders(one).items()}
        yield from ((_named(one, *each), ()) for each in found.items())
        places.update(found)
    yield from (each for each in told if not _follows(each[0], places))


def _follows(finding: ObjectFinding, places: Mapping[str, str]) -> bool:
    """Whether a finding is about a placeholder: in its place, or by naming it or its field."""
    sentence = f"{finding.message} {finding.remedy}"
    for place, value in places.items():
        holder, _, field = place.rpartition("/")
        is_missed = finding.pointer == holder and unescaped(field) in sentence
        if finding.pointer == place or is_missed or shown(value) in finding.message:
            return True
    return False


def _named(one: Document, pointer: str, value: str) -> ObjectFinding:
    field = unescaped(pointer.rpartition("/")[2])
    return ObjectFinding(
        rule=ReadingRule.UNFILLED_PLACEHOLDER,
        severity=LintSeverity.WARNING,
        subject=object_subject(one),
        pointer=pointer,
        message=f"The value of {shown(field)} is the placeholder {shown(value)}.",
        remedy="Lint what is applied, where it is filled in.",
        fix=(),
    )
