"""Findings without those that comments in the file leave out."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from charts_py.cluster_file.fault import Mark
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.holders import holders
from gpuplane.lint.ignore_comment import IgnoreComment, read_comment
from gpuplane.lint.reading_rule import ReadingRule
from gpuplane.lint.rule_names import RuleNames
from gpuplane.lint.yaml_comments import marked_comments
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
    reaches = _Reaches(comments, _begun_by_line(file.objects))
    used: list[set[str]] = [set() for _ in comments]
    kept, ignored = list[LintFinding](), Counter[str]()
    for each in findings:
        hits = reaches.of(each)
        for index in hits:
            used[index].add(each.rule)
        if hits:
            ignored[each.rule] += 1
        else:
            kept.append(each)
    for comment, rules in zip(comments, used, strict=True):
        kept += _of_comment(file.shown_as, comment, rules)
    return Ignoring(tuple(kept), dict(ignored))


_Place: TypeAlias = tuple[str, int | _Object | None]
"""A rule, and where a comment ignores it: on a line, in an object, or, for None, in the file."""


class _Reaches:
    """Which findings comments leave out."""

    def __init__(
        self, comments: Sequence[IgnoreComment], begun: Mapping[int, Sequence[_Object]]
    ) -> None:
        """`begun`: the objects that begin on each line."""
        self._comments: defaultdict[_Place, list[int]] = defaultdict(list)
        for index, one in enumerate(comments):
            for place in _places(one, begun):
                for rule in one.rules:
                    self._comments[rule, place].append(index)

    def of(self, finding: LintFinding) -> set[int]:
        """Return the indices of the comments that leave a finding out."""
        within = ((finding.document, pointer) for pointer in holders(finding.pointer))
        places = (None, finding.start.line, *within)
        return {i for each in places for i in self._comments.get((finding.rule, each), ())}


def _places(
    one: IgnoreComment, begun: Mapping[int, Sequence[_Object]]
) -> Iterator[int | _Object | None]:
    if one.of_file:
        yield None
    elif line := one.comment.field_line:
        yield line
        yield from begun.get(line, ())


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
