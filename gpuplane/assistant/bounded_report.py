"""What the linter finds, as much of it as an assistant can read at once."""

from dataclasses import replace
from typing import Any

from gpuplane.lint.formats.report_fields import report_fields
from gpuplane.lint.report import SEVERITIES, LintReport

MAX_FINDINGS = 50
"""One is about 150 tokens; what follows from the worst is often gone once these are mended."""


def bounded_fields(report: LintReport) -> dict[str, Any]:
    """Return the fields of a report with the worst of its findings, and how many more there are.

    Everything else in it counts all of them.
    """
    worst_first = sorted(report.findings, key=lambda each: SEVERITIES.index(each.severity))
    listed = replace(report, findings=tuple(worst_first[:MAX_FINDINGS]))
    return {
        **report_fields(report),
        "items": report_fields(listed)["items"],
        "more": max(0, len(report.findings) - MAX_FINDINGS),
    }
