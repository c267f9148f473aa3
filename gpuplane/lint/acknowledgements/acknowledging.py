"""Findings without those that somebody has acknowledged."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from charts_py.cluster_file.fault import Mark
from gpuplane.lint.acknowledgements.acknowledgement import Acknowledgement
from gpuplane.lint.acknowledgements.acknowledgement_file import AcknowledgedRow
from gpuplane.lint.acknowledgements.place import path_in_rows
from gpuplane.lint.file_findings import FileFindings
from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.reading_rule import ReadingRule

_Key = tuple[str, str, str, str]
_Found = dict[str, dict[tuple[str, str], set[str]]]
"""Contents of what was found: by file, and there by rule and object."""


def without_acknowledged(
    found: Sequence[FileFindings],
    sources: Sequence[LintSource],
    rows: Sequence[AcknowledgedRow],
    file: Path,
    today: dt.date,
) -> list[FileFindings]:
    """Return what is found without what rows acknowledge, and what is wrong with rows.

    A row on a file that was not read is left alone, where there is such a file.
    """
    names = [path_in_rows(each.shown_as, file) for each in sources]
    held = {_key(each.row) for each in rows if not _has_expired(each.row, today)}
    kept = [_kept(each, name, held) for name, each in zip(names, found, strict=True)]
    contents = _contents(names, found) if rows else {}
    stale = [
        _finding(each, message) for each in rows for message in _stale(each, contents, file, today)
    ]
    return [*kept, *([FileFindings(tuple(stale))] if stale else [])]


def _contents(names: Sequence[str], found: Sequence[FileFindings]) -> _Found:
    contents: _Found = {name: defaultdict(set) for name in names}
    for name, each in zip(names, found, strict=True):
        for finding in each.findings:
            contents[name][finding.rule, finding.subject].add(finding.content)
    return contents


def _kept(found: FileFindings, name: str, held: set[_Key]) -> FileFindings:
    hidden = [each for each in found.findings if _key_of(each, name) in held]
    if not hidden:
        return found
    left = tuple(each for each in found.findings if _key_of(each, name) not in held)
    return replace(found, findings=left, acknowledged=dict(Counter(each.rule for each in hidden)))


def _key(row: Acknowledgement) -> _Key:
    return row.rule, row.file, row.object, row.content


def _key_of(finding: LintFinding, name: str) -> _Key:
    return finding.rule, name, finding.subject, finding.content


def _has_expired(row: Acknowledgement, today: dt.date) -> bool:
    return row.expires is not None and row.expires < today


def _stale(one: AcknowledgedRow, found: _Found, file: Path, today: dt.date) -> Iterator[str]:
    """Yield why a row no longer holds, if so."""
    row = one.row
    if row.file not in found:
        if row.file != "-" and not (file.parents[1] / row.file).exists():
            yield f"There is no file {row.file}, in which {row.rule} is acknowledged."
        return
    alike = found[row.file].get((row.rule, row.object))
    where = f"{row.object} of {row.file}"
    if not alike:
        yield f"{row.rule} finds nothing any more in {where}."
    elif row.content not in alike:
        yield f"What {row.rule} finds in {where} has changed since it was acknowledged."
    elif _has_expired(row, today):
        yield f"The acknowledgement of {row.rule} in {where} ended on {row.expires}."


def _finding(one: AcknowledgedRow, message: str) -> LintFinding:
    mark = Mark(one.mark.file, one.mark.line, one.mark.column or 1)
    return LintFinding(
        rule=ReadingRule.ACKNOWLEDGEMENT,
        severity=LintSeverity.WARNING,
        start=mark,
        end=mark,
        subject="",
        document=0,
        pointer="",
        message=message,
        remedy="Remove the row; acknowledge anew what is still meant.",
    )
