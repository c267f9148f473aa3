"""Findings without those that comments in the file leave out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from charts_py.admission.manifest_file import ManifestObject
from charts_py.lint.finding import LintFinding, LintSeverity
from charts_py.lint.ignore_comment import IgnoreComment, read_comment
from charts_py.lint.reading_rule import ReadingRule
from charts_py.lint.rule_names import RuleNames
from charts_py.lint.yaml_comments import marked_comments
from charts_py.spec.fault import Mark
from policies.manifest_pod import objects


@dataclass(frozen=True, slots=True)
class Ignoring:
    """What comments leave of the findings of a file."""

    findings: tuple[LintFinding, ...]
    """With what is wrong with comments."""
    ignored: Mapping[str, int]
    """How many findings are left out, by rule."""


_Object: TypeAlias = tuple[int, str]
"""The index of the document of an object, and its JSON Pointer in it."""


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as it is written, and as it is read."""

    shown_as: str
    content: bytes
    objects: Sequence[ManifestObject]


def without_ignored(
    file: FileContent,
    findings: Sequence[LintFinding],
    names: RuleNames,
) -> Ignoring:
    """Return the findings of a file that no comment leaves out, and those on comments.

    A comment is about the line of a field, its own or the next one; on the first line of an object
    about the whole object; or about the file.
    """
    found = marked_comments(file.content)
    if not found:
        return Ignoring(tuple(findings), {})
    comments = [read_comment(each, names) for each in found]
    begun = _begun_by_line(file.objects)
    reaches = [_reach(each, begun) for each in comments]
    hits = [[reach.has(each) for reach in reaches] for each in findings]
    kept = [each for each, row in zip(findings, hits, strict=True) if not any(row)]
    ignored = Counter(each.rule for each, row in zip(findings, hits, strict=True) if any(row))
    for index, comment in enumerate(comments):
        used = {each.rule for each, row in zip(findings, hits, strict=True) if row[index]}
        kept += _of_comment(file.shown_as, comment, used)
    return Ignoring(tuple(kept), dict(ignored))


@dataclass(frozen=True, slots=True)
class _Reach:
    """Which findings a comment leaves out."""

    rules: frozenset[str]
    line: int
    """0 for those on any line."""
    objects: tuple[_Object, ...]
    """Whole objects."""

    def has(self, finding: LintFinding) -> bool:
        if finding.rule not in self.rules:
            return False
        return self.line in (0, finding.start.line) or any(
            finding.document == document and f"{finding.pointer}/".startswith(f"{pointer}/")
            for document, pointer in self.objects
        )


def _reach(one: IgnoreComment, begun: Mapping[int, Sequence[_Object]]) -> _Reach:
    line = 0 if one.of_file else one.comment.field_line
    rules = frozenset(one.rules if line or one.of_file else ())
    return _Reach(rules, line, tuple(begun.get(line, ())) if rules else ())


def _begun_by_line(read: Sequence[ManifestObject]) -> Mapping[int, Sequence[_Object]]:
    """Return the objects that begin on each line, found once for all comments."""
    begun: dict[int, list[_Object]] = {}
    for each in read:
        for pointer, _ in objects(each.document):
            begun.setdefault(each.span_of(pointer).line, []).append((each.index, pointer))
    return begun


def _of_comment(shown_as: str, one: IgnoreComment, used: set[str]) -> Iterator[LintFinding]:
    for problem in one.problems:
        yield _finding(shown_as, one, LintSeverity.WARNING, problem, "")
    for rule in one.rules:
        if rule not in used:
            message = f"The comment ignores {rule}, which finds nothing there."
            yield _finding(shown_as, one, LintSeverity.WARNING, message, "Leave that out.")


def _finding(
    shown_as: str, one: IgnoreComment, severity: LintSeverity, message: str, remedy: str
) -> LintFinding:
    comment = one.comment
    return LintFinding(
        rule=ReadingRule.IGNORE_COMMENT,
        severity=severity,
        start=Mark(shown_as, comment.line, comment.column),
        end=Mark(shown_as, comment.line, comment.end_column),
        subject="",
        document=0,
        pointer="",
        message=message,
        remedy=remedy,
    )
