"""Comments by which the linter leaves out findings: `# gpuplane: ignore[RULE, ...] REASON`."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import yaml

from charts_py.cluster_file.fault import Mark
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.lint.finding import FileFindings, LintFinding, LintSeverity, ReadingRule
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.registry import RuleNames
from gpus.nearest import nearest, nearest_hint
from policies.document import holders, objects

_MARKED = re.compile(r"(?:(?<=\s)|^)#\s*gpuplane:\s*(?P<text>.*)$")
_NO_CONTENT = re.compile(r"\s*(?:#|---(?:\s|$)|\.\.\.|%|$)")
"""Begins a line without a field: empty, a comment, or between two documents."""
_BLOCK_STYLES = ("|", ">")
IGNORE, IGNORE_FILE = "ignore", "ignore-file"
_NO_REASON = "The comment gives no reason, so it ignores nothing"
_AT_TOP = "allowed: at the top of the file"
_FORM = f"# gpuplane: {IGNORE}[RULE, ...] REASON"
_DIRECTIVE = re.compile(r"(?P<verb>[\w-]*)\s*(?:\[(?P<rules>[^\]]*)\])?\s*(?P<reason>.*)")
_Object: TypeAlias = tuple[int, str]
"""An object by the index of its document and its JSON Pointer in it."""
_Position: TypeAlias = tuple[int, int]
"""Line and column, both from 0."""
_Place: TypeAlias = tuple[str, int | _Object | None]
"""A rule, and where a comment ignores it: on a line, in an object, or, for None, in the file."""


class YamlComment(NamedTuple):
    """A comment that begins with `gpuplane:`; lines and columns count from 1."""

    text: str
    """The text behind that."""
    line: int
    column: int
    end_column: int
    """The first column behind it."""
    field_line: int
    """The line that it applies to: its own, or the next with a field; 0 behind the last."""
    is_at_top: bool
    """Whether no field stands above it in the file."""


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """A comment with the rules that it leaves out."""

    comment: YamlComment
    rules: tuple[str, ...] = ()
    of_file: bool = False
    problems: tuple[str, ...] = ()
    """Full sentences on what is wrong with it."""


def without_ignored(
    source: LintSource, read: Sequence[ManifestObject], findings: FileFindings, names: RuleNames
) -> FileFindings:
    """Return the findings that no comment leaves out, and those on the comments.

    A comment is about the line of a field, its own or the next one; on the first line of an object
    about the whole object; or about the file.
    """
    found = marked_comments(source.content)
    if not found:
        return findings
    comments = [_read_comment(each, names) for each in found]
    reaches = _reaches(comments, _begun_by_line(read))
    used: list[set[str]] = [set() for _ in comments]
    kept, ignored = list[LintFinding](), Counter[str]()
    for each in findings.findings:
        within = ((each.document, pointer) for pointer in holders(each.pointer))
        places = (None, each.start.line, *within)
        hits = {index for place in places for index in reaches.get((each.rule, place), ())}
        for index in hits:
            used[index].add(each.rule)
        if hits:
            ignored[each.rule] += 1
        else:
            kept.append(each)
    for comment, rules in zip(comments, used, strict=True):
        kept += _of_comment(source.shown_as, comment, rules)
    return replace(findings, findings=tuple(kept), ignored=dict(ignored))


def _reaches(
    comments: Sequence[IgnoreComment], begun: Mapping[int, Sequence[_Object]]
) -> Mapping[_Place, Sequence[int]]:
    """Return the indices of comments by what they ignore; `begun` has the objects by their line."""
    reaches: defaultdict[_Place, list[int]] = defaultdict(list)
    for index, one in enumerate(comments):
        line, places = one.comment.field_line, list[int | _Object | None]()
        if one.of_file:
            places = [None]
        elif line:
            places = [line, *begun.get(line, ())]
        for rule in one.rules:
            for place in places:
                reaches[rule, place].append(index)
    return reaches


def _begun_by_line(read: Sequence[ManifestObject]) -> Mapping[int, Sequence[_Object]]:
    begun: dict[int, list[_Object]] = {}
    for each in read:
        for pointer, _ in objects(each.document):
            begun.setdefault(each.marks_of(pointer)[0].line, []).append((each.index, pointer))
    return begun


def _of_comment(shown_as: str, one: IgnoreComment, used: set[str]) -> Iterator[LintFinding]:
    comment = one.comment
    start = Mark(shown_as, comment.line, comment.column)
    end = Mark(shown_as, comment.line, comment.end_column)
    finding = LintFinding(ReadingRule.IGNORE_COMMENT, LintSeverity.WARNING, start, end, "")
    yield from (finding._replace(message=problem) for problem in one.problems)
    for rule in one.rules:
        if rule not in used:
            message = f"The comment ignores {rule}, which finds nothing there."
            yield finding._replace(message=message, remedy="Leave that out.")


def marked_comments(content: bytes) -> tuple[YamlComment, ...]:
    """Return our comments in a file, but none inside a string; none of broken YAML."""
    if b"gpuplane:" not in content:
        return ()
    lines = content.decode(errors="replace").splitlines()
    found = [(n, match) for n, each in enumerate(lines) for match in _MARKED.finditer(each)]
    if not found:
        return ()
    try:
        texts = [*_texts(content)]
    except (yaml.YAMLError, UnicodeDecodeError):
        return ()
    fields = [n for n, line in enumerate(lines) if not _NO_CONTENT.match(line)]
    return tuple(
        _comment(fields, number, match)
        for number, match in found
        if not _is_in_text(texts, (number, match.start()))
    )


def _texts(content: bytes) -> Iterator[tuple[_Position, _Position]]:
    """Yield the start and the end of each scalar; a block begins below the line of its sign."""
    for token in yaml.scan(content, Loader=yaml.CSafeLoader):
        if isinstance(token, yaml.ScalarToken):
            start, end = token.start_mark, token.end_mark
            is_block = token.style in _BLOCK_STYLES
            begin = (start.line + 1, 0) if is_block else (start.line, start.column)
            yield begin, (end.line, end.column)


def _is_in_text(texts: Sequence[tuple[_Position, _Position]], place: _Position) -> bool:
    """Whether a text holds a place; the texts are in order, and none is inside another."""
    begun = bisect_right(texts, place, key=itemgetter(0))
    return begun > 0 and place < texts[begun - 1][1]


def _comment(fields: Sequence[int], number: int, match: re.Match[str]) -> YamlComment:
    """Return a comment; `fields` are the lines with a field, in order."""
    above = bisect_left(fields, number)
    return YamlComment(
        text=match["text"].rstrip(),
        line=number + 1,
        column=match.start() + 1,
        end_column=match.end() + 1,
        field_line=fields[above] + 1 if above < len(fields) else 0,
        is_at_top=not fields or number < fields[0],
    )


def _read_comment(comment: YamlComment, names: RuleNames) -> IgnoreComment:
    """Read a comment; without a reason, it leaves nothing out."""
    match = _DIRECTIVE.match(comment.text)
    verb = match["verb"] if match else ""
    if match is None or verb not in (IGNORE, IGNORE_FILE):
        hint = nearest_hint(nearest(verb, (IGNORE, IGNORE_FILE)))
        what = f'The comment begins with "{verb}"; allowed: {IGNORE}, {IGNORE_FILE}{hint}.'
        return IgnoreComment(comment, problems=(what,))
    named = [name.strip() for name in (match["rules"] or "").split(",") if name.strip()]
    # These keep it from ignoring anything, whichever rules it names.
    invalid = [] if match["reason"] else [f"{_NO_REASON}: {_FORM}."]
    if verb == IGNORE_FILE and not comment.is_at_top:
        invalid.append(f"{IGNORE_FILE} stands below the first field; {_AT_TOP}.")
    known = dict.fromkeys(name for name in named if name in names.ignorable)
    return IgnoreComment(
        comment,
        rules=() if invalid else tuple(known),
        of_file=verb == IGNORE_FILE,
        problems=(*_problems_of_names(named, names), *invalid),
    )


def _problems_of_names(named: Sequence[str], names: RuleNames) -> Iterator[str]:
    for name in named:
        if name not in names.all:
            yield f'There is no rule "{name}"{nearest_hint(names.nearest(name))}.'
        elif name not in names.ignorable:
            yield f"{name} cannot be ignored."
    if not named:
        yield f"The comment names no rule; allowed: {_FORM}."
