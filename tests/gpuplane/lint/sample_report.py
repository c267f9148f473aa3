"""A report with a finding of each severity, as the formats are to print it."""

from charts_py.cluster_file.fault import Mark
from gpuplane.lint.finding import LintFinding, LintSeverity, ObjectCounts
from gpuplane.lint.report import LintReport
from policies.operation import Operation

FILE = "jobs/train, a.yaml"
SOURCE = b"kind: Pod\nspec:\n  hostIPC: true\n"


def finding(
    severity: LintSeverity, rule: str, line: int, pointer: str, *, is_fixed: bool = False
) -> LintFinding:
    fix = (Operation("add", pointer, "research"),) if is_fixed else ()
    start, end = Mark(FILE, line, 3), Mark(FILE, line, 10)
    message, clusters = "It is 100% wrong.", ("inference", "training")
    return LintFinding(
        rule, severity, start, end, message, "Fix it.", "Pod a", 0, pointer, fix, clusters
    )


ERROR = finding(LintSeverity.ERROR, "host-ipc", 3, "/spec/hostIPC")
WARNING = finding(LintSeverity.WARNING, "memory-limit", 3, "/spec/containers")
NOTE = finding(LintSeverity.NOTE, "team-rule", 2, "/metadata/labels", is_fixed=True)
"""Not fixable as long as the pod keeps the error."""


def report(*findings: LintFinding) -> LintReport:
    return LintReport(
        findings=findings,
        files=2,
        counts=ObjectCounts(3, {"Job": 1, "Pod": 1}),
        clusters=("inference", "training"),
        empty=1,
        sources={FILE: SOURCE},
    )


REPORT = report(NOTE, ERROR, WARNING)
