"""Findings as a report of GitLab on code quality.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

import json

from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.report import LintReport, fingerprints

_SEVERITIES = {
    LintSeverity.ERROR: "major",
    LintSeverity.WARNING: "minor",
    LintSeverity.NOTE: "info",
}


def to_gitlab(report: LintReport) -> str:
    keys = fingerprints(report.findings)
    found = [_violation(each, key) for each, key in zip(report.findings, keys, strict=True)]
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _violation(finding: LintFinding, key: str) -> dict[str, object]:
    return {
        "description": finding.full_message,
        "check_name": finding.rule,
        "fingerprint": key,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": finding.start.file,
            "positions": {
                "begin": {"line": finding.start.line, "column": finding.start.column},
                "end": {"line": finding.end.line, "column": finding.end.column},
            },
        },
    }
