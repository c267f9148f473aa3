"""Findings that somebody has acknowledged: the file in git, and the findings without them."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError, counted, mark_at
from charts_py.cluster_file.source import source_of
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.translation import validated
from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.file_content import file_content
from gpuplane.lint.acknowledgement_key import DIGITS, path_in_rows
from gpuplane.lint.finding import FileFindings, LintFinding, LintSeverity, ReadingRule
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.registry import RuleNames
from gpuplane.terminal import print_styled
from gpuplane.versions.tree import DistError
from gpuplane.written_files import check_in_repository

_Key = tuple[str, str, str, str]
_Row = tuple[Mark, "Acknowledgement"]
_Found = dict[str, dict[tuple[str, str], set[str]]]
"""Contents of findings by file, and there by rule and object."""
Words = Annotated[str, Field(min_length=1)]
_HEAD = """\
# Findings of `gpuplane lint` that are meant. A row holds as long as `content` is the digest of what
# it is about. `gpuplane lint PATH --acknowledge --reason REASON` adds rows.
acknowledged:
"""


class Acknowledgement(StrictModel):
    """A finding that somebody has acknowledged."""

    rule: Words
    file: Words
    """Path from the folder above that of the acknowledgements."""
    object: Words
    """Kind and name, as in `Job train`."""
    content: Annotated[str, Field(pattern=f"^[0-9a-f]{{{DIGITS}}}$")]
    """Digest of the content that the finding is about."""
    reason: Words
    by: Words
    """Who acknowledged it, such as an email address."""
    expires: dt.date | None = None
    """Last day on which it holds."""


class Acknowledgements(StrictModel):
    """The whole file."""

    acknowledged: tuple[Acknowledgement, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """The statement with which somebody acknowledges findings."""

    reason: str
    by: str
    expires: dt.date | None = None


@dataclass(frozen=True, slots=True)
class LintAcknowledgements:
    """The acknowledgements of a repository; reading them raises SpecError and OSError."""

    file: Path
    """The file may be missing."""
    custom_rules: Sequence[str]
    today: dt.date

    def left_of(
        self, found: Sequence[FileFindings], sources: Sequence[LintSource]
    ) -> list[FileFindings]:
        """Return the findings that no row acknowledges, and findings on stale rows.

        A row on a file that was not read is left alone, where there is such a file.
        """
        rows = self._rows()
        names = [path_in_rows(each.shown_as, self.file) for each in sources]
        valid = (row for _, row in rows if not self._has_expired(row))
        held = {(row.rule, row.file, row.object, row.content) for row in valid}
        kept = [_kept(each, name, held) for name, each in zip(names, found, strict=True)]
        contents = _contents(names, found) if rows else {}
        stale = (_finding(mark, why) for mark, row in rows for why in self._stale(row, contents))
        on_rows = FileFindings(tuple(stale))
        return [*kept, on_rows] if on_rows.findings else kept

    def _has_expired(self, row: Acknowledgement) -> bool:
        return row.expires is not None and row.expires < self.today

    def _stale(self, row: Acknowledgement, found: _Found) -> Iterator[str]:
        if row.file not in found:
            if row.file != "-" and not (self.file.parents[1] / row.file).exists():
                yield f"There is no file {row.file}, in which {row.rule} is acknowledged."
            return
        alike = found[row.file].get((row.rule, row.object))
        where = f"{row.object} of {row.file}"
        if not alike:
            yield f"{row.rule} finds nothing any more in {where}."
        elif row.content not in alike:
            yield f"What {row.rule} finds in {where} has changed since it was acknowledged."
        elif self._has_expired(row):
            yield f"The acknowledgement of {row.rule} in {where} ended on {row.expires}."

    def add(self, findings: Sequence[LintFinding], statement: Statement) -> None:
        """Write rows for findings; raises DistError where that is impossible."""
        meant = [each for each in findings if each.content]
        if not meant:
            print_styled("note: nothing was found that can be acknowledged", err=True)
            return
        check_in_repository(self.file)
        text = self.with_rows(meant, statement)
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(text, encoding="utf-8")
        what = counted(len(meant), "finding")
        print_styled(f"note: acknowledged {what} in {self.file}", err=True)

    def with_rows(self, findings: Sequence[LintFinding], statement: Statement) -> str:
        """Return the text of the file with a row for each finding, in place of its former rows.

        Comments and other rows stay. Raises DistError where the file is not simple enough.
        """
        rows, file = self._rows(), self.file
        new = list(_new_rows(file, findings, statement))
        replaced = {(each["rule"], each["file"], each["object"]) for each in new}
        keys = [(row.rule, row.file, row.object) for _, row in rows]
        gone = [index for index, key in enumerate(keys) if key in replaced]
        before = file_content(file).decode() if rows else _HEAD
        text = _without(before, rows, gone) + "".join(map(_item, new))
        try:
            after = len(rows_of(text.encode(), str(file), RuleNames(self.custom_rules)))
        except SpecError:
            after = -1
        if after != len(rows) - len(gone) + len(new):
            allowed = "allowed: a list with each row on its lines"
            raise DistError(f"{file}: rows cannot be added; {allowed}")
        return text

    def _rows(self) -> tuple[_Row, ...]:
        if not self.file.exists():
            return ()
        return rows_of(file_content(self.file), str(self.file), RuleNames(self.custom_rules))


def rows_of(content: bytes, shown_as: str, names: RuleNames) -> tuple[_Row, ...]:
    """Read the rows of a file; raise SpecError with every fault."""
    source = source_of(content, shown_as)
    rows = validated(source, Acknowledgements).acknowledged
    problems = _check_rules(rows, names)
    if faults := [Fault(mark_at(each.path, source.marks), each) for each in problems]:
        raise SpecError(faults)
    marks = (source.marks["acknowledged", index] for index in range(len(rows)))
    return tuple(zip(marks, rows, strict=True))


def _check_rules(rows: Iterable[Acknowledgement], names: RuleNames) -> Iterator[Problem]:
    allowed = names.ignorable
    for index, row in enumerate(rows):
        if row.rule not in allowed:
            path = ("acknowledged", index, "rule")
            what = f'"{row.rule}" is not a rule of the linter that can be acknowledged'
            yield Problem(path, what, ", ".join(allowed), names.nearest(row.rule))


def _contents(names: Sequence[str], found: Sequence[FileFindings]) -> _Found:
    contents: _Found = {name: defaultdict(set) for name in names}
    for name, each in zip(names, found, strict=True):
        for finding in each.findings:
            contents[name][finding.rule, finding.subject].add(finding.content)
    return contents


def _kept(found: FileFindings, name: str, held: set[_Key]) -> FileFindings:
    keys = [(each.rule, name, each.subject, each.content) for each in found.findings]
    is_held = [key in held for key in keys]
    left = tuple(each for each, held in zip(found.findings, is_held, strict=True) if not held)
    hidden = Counter(rule for (rule, *_), held in zip(keys, is_held, strict=True) if held)
    return replace(found, findings=left, acknowledged=dict(hidden))


def _finding(mark: Mark, message: str) -> LintFinding:
    mark = mark._replace(column=mark.column or 1)
    return LintFinding(
        rule=ReadingRule.ACKNOWLEDGEMENT,
        severity=LintSeverity.WARNING,
        start=mark,
        end=mark,
        message=message,
        remedy="Remove the row; acknowledge anew what is still meant.",
    )


def _new_rows(
    file: Path, findings: Sequence[LintFinding], statement: Statement
) -> Iterator[dict[str, str]]:
    seen = set()
    for each in findings:
        key = (each.rule, each.start.file, each.subject, each.content)
        if not each.content or key in seen:
            continue
        seen.add(key)
        row = {
            "rule": str(each.rule),
            "file": path_in_rows(each.start.file, file),
            "object": each.subject,
            "content": each.content,
            "reason": statement.reason,
            "by": statement.by,
        }
        yield row if statement.expires is None else {**row, "expires": str(statement.expires)}


def _without(text: str, rows: Sequence[_Row], gone: Sequence[int]) -> str:
    lines = text.splitlines(keepends=True)
    starts = [mark.line - 1 for mark, _ in rows] + [len(lines)]
    cut = {line for index in gone for line in range(starts[index], starts[index + 1])}
    kept = "".join(line for number, line in enumerate(lines) if number not in cut)
    return kept if kept.endswith("\n") else f"{kept}\n"


def _item(row: dict[str, str]) -> str:
    first, *others = to_yaml(row).splitlines(keepends=True)
    return "".join([f"  - {first}", *(f"    {line}" for line in others)])
