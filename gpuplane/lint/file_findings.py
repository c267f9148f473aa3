"""What is found in a file, and how a cache keeps it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from charts_py.cluster_file.fault import Mark
from gpuplane.lint.finding import LintFinding, LintSeverity
from policies.operation import Operation


@dataclass(frozen=True, slots=True)
class FileFindings:
    """What is found in a file."""

    findings: tuple[LintFinding, ...]
    """By object, in the order in which rules find them."""
    objects: int = 0
    gpu_workloads: Mapping[str, int] = field(default_factory=dict)
    """How many objects ask for GPUs, by kind."""
    ignored: Mapping[str, int] = field(default_factory=dict)
    """How many findings comments leave out, by rule."""
    acknowledged: Mapping[str, int] = field(default_factory=dict)
    """How many findings somebody has acknowledged, by rule; kept in no cache."""


def to_json(found: FileFindings) -> str:
    """Return what is found as JSON, without the name of the file."""
    rows = [_row(finding) for finding in found.findings]
    others = found.objects, dict(found.gpu_workloads), dict(found.ignored)
    return json.dumps([rows, *others], separators=(",", ":"))


def from_json(text: str, file: str) -> FileFindings:
    """Return what is found in a file; `text` is what `to_json` has written."""
    rows, objects, kinds, ignored = json.loads(text)
    findings = tuple(_finding(*row, file=file) for row in rows)
    return FileFindings(findings, objects, kinds, ignored)


def _row(finding: LintFinding) -> list[Any]:
    return [
        finding.rule,
        finding.severity,
        (finding.start.line, finding.start.column),
        (finding.end.line, finding.end.column),
        finding.subject,
        finding.document,
        finding.pointer,
        finding.message,
        finding.remedy,
        finding.fix,
        finding.clusters,
        finding.is_agreed,
        finding.content,
    ]


def _finding(
    rule: str,
    severity: str,
    start: tuple[int, int],
    end: tuple[int, int],
    *others: Any,
    file: str,
) -> LintFinding:
    subject, document, pointer, message, remedy, fix, clusters, is_agreed, content = others
    return LintFinding(
        rule,
        LintSeverity(severity),
        Mark(file, *start),
        Mark(file, *end),
        subject,
        document,
        pointer,
        message,
        remedy,
        tuple(Operation(*operation) for operation in fix),
        tuple(clusters),
        is_agreed,
        content,
    )
