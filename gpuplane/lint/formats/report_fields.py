"""Findings as the fields of a report for programs."""

from typing import Any

from gpuplane.lint.finding import LintFinding
from gpuplane.lint.report import LintReport


def report_fields(report: LintReport) -> dict[str, Any]:
    fixable = {*map(id, report.fixable)}
    return {
        "clusters": list(report.clusters),
        "files": report.files,
        "filesWithoutObjects": report.empty,
        "objects": report.counts.objects,
        "gpuWorkloads": dict(report.counts.gpu_workloads),
        "gpuObjectsUnread": dict(report.counts.unread_gpus),
        "objectsUnjudged": dict(report.counts.unjudged),
        "objectsAsPatches": report.counts.patches,
        "counts": {severity.value: count for severity, count in report.by_severity.items()},
        "ignored": report.ignored,
        "acknowledged": report.acknowledged,
        "notShown": report.not_shown,
        "fixable": len(fixable),
        "items": [_fields(each, is_fixed=id(each) in fixable) for each in report.findings],
    }


def _fields(finding: LintFinding, *, is_fixed: bool) -> dict[str, Any]:
    return {
        "file": finding.start.file,
        "line": finding.start.line,
        "column": finding.start.column,
        "endLine": finding.end.line,
        "endColumn": finding.end.column,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "subject": finding.subject,
        "document": finding.document,
        "pointer": finding.pointer,
        "message": finding.message,
        "remedy": finding.remedy,
        "clusters": list(finding.clusters),
        "fix": [operation.to_json() for operation in finding.fix if is_fixed],
    }
