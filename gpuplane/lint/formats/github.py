"""Findings as commands of a GitHub workflow, which annotate the lines of a pull request.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-a-notice-message
"""

from collections import Counter
from collections.abc import Iterator

from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.report import LintReport
from policies.document import printable

MAX_ANNOTATIONS = 10
"""Annotations of each severity that GitHub shows for a step
(https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations)."""

_IN_MESSAGES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_IN_PROPERTIES = (*_IN_MESSAGES, (":", "%3A"), (",", "%2C"))
"""https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts"""


def to_github(report: LintReport) -> str:
    """Return a command for each finding, and how many GitHub will not show."""
    return "".join(f"{line}\n" for line in (*map(_command, report.findings), *_unshown(report)))


def _command(finding: LintFinding) -> str:
    properties = {
        "file": finding.start.file,
        "line": str(finding.start.line),
        "endLine": str(finding.end.line),
        "col": str(finding.start.column),
        "endColumn": str(finding.end.column),
        "title": f"gpuplane {finding.rule}",
    }
    stated = ",".join(
        f"{key}={_escaped(printable(value), _IN_PROPERTIES)}" for key, value in properties.items()
    )
    message = _escaped(finding.full_message, _IN_MESSAGES)
    command = "notice" if finding.severity is LintSeverity.NOTE else finding.severity.value
    return f"::{command} {stated}::{message}"


def _unshown(report: LintReport) -> Iterator[str]:
    counted = Counter(finding.severity for finding in report.findings)
    for severity, count in counted.items():
        if count > MAX_ANNOTATIONS:
            yield (
                f"{count} of severity {severity.value}, of which GitHub shows the first "
                f"{MAX_ANNOTATIONS} as annotations; the log of this step has all"
            )


def _escaped(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for letter, escape in escapes:
        text = text.replace(letter, escape)
    return text
