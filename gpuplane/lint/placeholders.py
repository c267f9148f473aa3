"""Findings on values that somebody fills in before a manifest is applied."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from charts_py.objects.document import Document
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.holders import holders
from gpuplane.lint.object_finding import ObjectFinding
from gpuplane.lint.object_subject import object_subject
from gpuplane.lint.placeholder_places import placeholders
from gpuplane.lint.reading_rule import ReadingRule
from policies.document import shown, unescaped
from policies.manifest_pod import objects

_Found = tuple[ObjectFinding, tuple[str, ...]]


def without_placeholders(found: Iterable[_Found], document: Document) -> Iterator[_Found]:
    """Yield one finding for each placeholder, and those that do not follow from any.

    What is wrong with `$GPU_PER_NODE` says nothing of the value that takes its place.
    """
    by_object = {
        at: _Placeholders(at, one, values)
        for at, one in objects(document)
        if (values := placeholders(one))
    }
    if not by_object:
        yield from found
        return
    for each in by_object.values():
        yield from each.named()
    for finding, clusters in found:
        at = next((at for at in holders(finding.pointer) if at in by_object), None)
        if at is None or not by_object[at].explains(finding):
            yield finding, clusters


class _Placeholders:
    """Those of an object."""

    def __init__(self, at: str, one: Document, values: Mapping[str, str]) -> None:
        """`at`: JSON Pointer to the object in its document; `values`: by JSON Pointer from it."""
        self._object = one
        self._values = {f"{at}{place}": value for place, value in values.items()}
        self._shown = {*map(shown, self._values.values())}
        self._fields = defaultdict[str, list[str]](list)
        for place in self._values:
            holder, _, field = place.rpartition("/")
            self._fields[holder].append(unescaped(field))

    def named(self) -> Iterator[_Found]:
        """Yield a finding for each."""
        yield from ((_named(self._object, *each), ()) for each in self._values.items())

    def explains(self, finding: ObjectFinding) -> bool:
        """Whether a finding is about one: in its place, or by naming it or its field."""
        sentence = f"{finding.message} {finding.remedy}"
        return (
            finding.pointer in self._values
            or any(field in sentence for field in self._fields.get(finding.pointer, ()))
            or any(value in finding.message for value in self._shown)
        )


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
