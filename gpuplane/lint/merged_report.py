"""What was found in many files as one report."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gpuplane.lint.file_findings import FileFindings
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.report import LintReport
from gpuplane.lint.selected_rules import RuleSelection


def merged_report(
    sources: Sequence[LintSource],
    found: Iterable[FileFindings],
    selection: RuleSelection,
    clusters: Sequence[str],
) -> LintReport:
    """Return what was found in files as one report, of the selected rules alone."""
    findings = []
    kinds: Counter[str] = Counter()
    objects = empty = ignored = acknowledged = 0
    for each in found:
        selected = (finding for finding in each.findings if selection.has(finding.rule))
        findings += sorted(selected, key=lambda finding: (finding.start.line, finding.start.column))
        kinds.update(each.gpu_workloads)
        objects += each.objects
        ignored += _of_selected(each.ignored, selection)
        acknowledged += _of_selected(each.acknowledged, selection)
        empty += not each.objects and not each.findings
    files = {finding.start.file for finding in findings}
    return LintReport(
        findings=tuple(findings),
        files=len(sources),
        objects=objects,
        empty=empty,
        gpu_workloads=dict(sorted(kinds.items())),
        clusters=tuple(clusters),
        ignored=ignored,
        acknowledged=acknowledged,
        sources={each.shown_as: each.content for each in sources if each.shown_as in files},
    )


def _of_selected(counts: Mapping[str, int], selection: RuleSelection) -> int:
    return sum(count for rule, count in counts.items() if selection.has(rule))
