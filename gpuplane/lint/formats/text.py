"""Findings for people: a line each, and below it the source where something is wrong."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from charts_py.cluster_file.fault import counted
from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.report import SEVERITIES, LintReport
from policies.document import listed, printable

_COLOURS = {LintSeverity.ERROR: "31", LintSeverity.WARNING: "33", LintSeverity.NOTE: "34"}
_BOLD, _FAINT, _GREEN = "1", "2", "32"
_MAX_EXCERPT = 160
"""Characters of a line of the source that are shown."""


class _Pen(NamedTuple):
    """Writes in colours where they are wanted."""

    colour: bool

    def __call__(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def to_text(report: LintReport, *, colour: bool = False) -> str:
    pen = _Pen(colour)
    sources = {file: content.splitlines() for file, content in report.sources.items()}
    lines = [line for finding in report.findings for line in _lines(finding, sources, pen)]
    return "\n".join([*lines, *_summary(report, pen), ""])


def _lines(finding: LintFinding, sources: Mapping[str, list[bytes]], pen: _Pen) -> Iterator[str]:
    colour = _COLOURS[finding.severity]
    rule = pen(finding.rule, f"{_BOLD};{colour}")
    severity = pen(finding.severity.value, colour)
    yield f"{printable(str(finding.start))}: {rule} {severity} {finding.full_message}"
    lines = sources.get(finding.start.file, [])
    # What admission adds stands nowhere yet.
    if finding.severity is not LintSeverity.NOTE and finding.start.line <= len(lines):
        written = printable(lines[finding.start.line - 1].decode(errors="replace"))
        yield from _excerpt(finding, written, pen)


def _excerpt(finding: LintFinding, written: str, pen: _Pen) -> Iterator[str]:
    number = str(finding.start.line)
    margin = " " * len(number)
    width = min(max(finding.end.column - finding.start.column, 1), _MAX_EXCERPT)
    caret = pen("^" * width, _COLOURS[finding.severity])
    # Of a long line, as of JSON, what stands around it.
    first = max(0, finding.start.column - 1 + width - _MAX_EXCERPT)
    shown = written[first : first + _MAX_EXCERPT]
    yield f"  {pen(number, _FAINT)} | {shown}"
    yield f"  {margin} | {' ' * (finding.start.column - 1 - first)}{caret}"
    yield ""


def _summary(report: LintReport, pen: _Pen) -> Iterator[str]:
    found = [counted(n, severity.value) for severity, n in report.by_severity.items() if n]
    counts = report.counts
    gpus = sum(counts.gpu_workloads.values())
    read = f"in {counted(report.files, 'file')} with {counted(gpus, 'GPU workload')}"
    said = f"Found {', '.join(found)}" if found else pen(_nothing(report), _GREEN)
    yield f"{said} {read}."
    if counts.unread_gpus:
        kinds = ", ".join(f"{n} {kind}" for kind, n in counts.unread_gpus.items())
        unread = counted(sum(counts.unread_gpus.values()), "object")
        yield f"{unread} with GPUs judged at admission alone: {printable(kinds)}."
    if counts.unjudged:
        kinds = listed([f"{n} {kind}" for kind, n in counts.unjudged.items()])
        yield f"{counted(sum(counts.unjudged.values()), 'object')} not judged: {kinds}."
    if counts.patches:
        taken = "a patch, not judged by what it lacks"
        if counts.patches > 1:
            taken = "patches, not judged by what they lack"
        yield f"{counted(counts.patches, 'object')} taken for {taken}."
    if report.empty:
        yield f"Skipped {counted(report.empty, 'file')} without objects."
    if report.ignored:
        yield f"{counted(report.ignored, 'finding')} left out by comments."
    if report.acknowledged:
        yield f"{counted(report.acknowledged, 'finding')} acknowledged."
    if report.not_shown:
        yield f"{counted(report.not_shown, 'finding')} of lower severity not shown; see --severity."
    yield from _fixable(report)
    yield from report.not_live


def _nothing(report: LintReport) -> str:
    if not report.not_shown:
        return "Nothing found"
    asked = SEVERITIES[: SEVERITIES.index(report.least) + 1]
    return f"No {' or '.join(f'{each}s' for each in asked)}"


def _fixable(report: LintReport) -> Iterator[str]:
    if report.fixable:
        yield f"{len(report.fixable)} can be fixed with --fix."
    if report.waiting:
        yield f"{report.waiting} can be fixed once the other errors of their objects are gone."
