"""Writing down that findings are acknowledged."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.fault import SpecError
from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.lint.acknowledgements.acknowledgement_file import AcknowledgedRow, rows_of
from gpuplane.lint.acknowledgements.place import path_in_rows
from gpuplane.lint.finding import LintFinding
from gpuplane.lint.rule_names import RuleNames
from gpuplane.versions.dist_error import DistError

_HEAD = """\
# Findings of `gpuplane lint` that are meant. A row holds as long as `content` is the digest of what
# it is about. `gpuplane lint PATH --acknowledge --reason REASON` adds rows.
acknowledged:
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """What somebody says of findings."""

    reason: str
    by: str
    expires: dt.date | None = None


def with_rows(
    file: Path,
    rows: Sequence[AcknowledgedRow],
    findings: Sequence[LintFinding],
    statement: Statement,
    names: RuleNames,
) -> str:
    """Return the text of the file with a row for each finding, in place of its former ones.

    Comments and other rows stay. Raises DistError where the file is not simple enough for that.
    """
    new = list(_rows(file, findings, statement))
    before = file.read_text(encoding="utf-8") if rows else _HEAD
    replaced = {(each["rule"], each["file"], each["object"]) for each in new}
    gone = [
        index
        for index, each in enumerate(rows)
        if (each.row.rule, each.row.file, each.row.object) in replaced
    ]
    text = _without(before, rows, gone) + _as_items(new)
    try:
        after = len(rows_of(text.encode(), str(file), names))
    except SpecError:
        after = -1
    if after != len(rows) - len(gone) + len(new):
        raise DistError(f"{file}: rows cannot be added; allowed: a list with each row on its lines")
    return text


def _rows(
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


def _without(text: str, rows: Sequence[AcknowledgedRow], gone: Sequence[int]) -> str:
    lines = text.splitlines(keepends=True)
    starts = [each.mark.line - 1 for each in rows] + [len(lines)]
    cut = {line for index in gone for line in range(starts[index], starts[index + 1])}
    kept = "".join(line for number, line in enumerate(lines) if number not in cut)
    return kept if kept.endswith("\n") else f"{kept}\n"


def _as_items(rows: Sequence[dict[str, str]]) -> str:
    lines = [line for row in rows for line in _item(row)]
    return "".join(f"  {line}\n" for line in lines)


def _item(row: dict[str, str]) -> Iterator[str]:
    first, *others = to_yaml(row).splitlines()
    yield f"- {first}"
    yield from (f"  {line}" for line in others)
