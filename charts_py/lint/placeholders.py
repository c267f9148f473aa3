"""Values that somebody fills in before a manifest is applied."""

import re
from collections.abc import Iterable, Iterator

from jsonpointer import JsonPointer, JsonPointerException

from charts_py.lint.finding import LintSeverity
from charts_py.lint.object_finding import ObjectFinding
from charts_py.lint.reading_rule import ReadingRule
from charts_py.objects.document import Document
from policies.document import shown, unescaped

_PLACEHOLDER = re.compile(r"\$\w+|\$\{\w+[^}]*\}|\{\{[^}]+\}\}|<[\w .-]+>|%\w+%|__\w+__")
"""Of envsubst, Argo Workflows, and what people write for others to fill in."""

_Told = tuple[ObjectFinding, tuple[str, ...]]


def without_placeholders(told: Iterable[_Told], document: Document) -> Iterator[_Told]:
    """Yield findings, and in place of those on a placeholder one that names it, each once.

    What is wrong with `$GPU_PER_NODE` says nothing of the value that takes its place.
    """
    named: set[str] = set()
    for finding, clusters in told:
        placeholder = _placeholder_at(document, finding.pointer)
        if placeholder is None:
            yield finding, clusters
        elif finding.pointer not in named:
            named.add(finding.pointer)
            yield _named(finding, placeholder), ()


def _placeholder_at(document: Document, pointer: str) -> str | None:
    try:
        value = JsonPointer(pointer).resolve(document)
    except JsonPointerException:
        return None
    is_placeholder = isinstance(value, str) and _PLACEHOLDER.fullmatch(value)
    return value if is_placeholder else None


def _named(finding: ObjectFinding, placeholder: str) -> ObjectFinding:
    field = unescaped(finding.pointer.rpartition("/")[2])
    return finding._replace(
        rule=ReadingRule.UNFILLED_PLACEHOLDER,
        severity=LintSeverity.WARNING,
        message=f"The value of {shown(field)} is the placeholder {shown(placeholder)}.",
        remedy="Lint what is applied, where it is filled in.",
        fix=(),
    )
