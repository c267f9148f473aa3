"""The report on all files."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace

from gpuplane.lint.cache import digest
from gpuplane.lint.finding import FileFindings, LintFinding, LintSeverity, ObjectCounts
from gpuplane.lint.lint_source import LintSource

SEVERITIES = (LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE)
"""Worst first."""


@dataclass(frozen=True, slots=True)
class LintReport:
    findings: tuple[LintFinding, ...]
    """Findings in the order of files, lines and columns."""
    files: int
    counts: ObjectCounts
    clusters: tuple[str, ...]
    empty: int
    """Number of files without an object, which is not a finding."""
    sources: Mapping[str, bytes]
    """Content of the files that have findings."""
    ignored: int = 0
    acknowledged: int = 0
    least: LintSeverity = LintSeverity.NOTE
    """The lowest severity that was asked for."""
    not_shown: int = 0
    """Number of findings of lower severity."""
    not_live: tuple[str, ...] = ()
    """A sentence on each cluster that was named or found something, and is not live as judged."""

    @property
    def by_severity(self) -> Mapping[LintSeverity, int]:
        """Number of findings of each severity, worst first."""
        counted = Counter(finding.severity for finding in self.findings)
        return {severity: counted[severity] for severity in SEVERITIES}

    @property
    def fixable(self) -> Sequence[LintFinding]:
        """The findings that `--fix` fixes: none in an object that keeps an error."""
        return [one for one in self._writable if one.object not in self._refused]

    @property
    def waiting(self) -> int:
        """Number of findings that `--fix` fixes once their objects keep no error."""
        return len(self._writable) - len(self.fixable)

    @property
    def _writable(self) -> Sequence[LintFinding]:
        return [one for one in self.findings if one.fix and one.is_writable]

    @property
    def _refused(self) -> AbstractSet[tuple[str, int, str]]:
        left = (one for one in self.findings if not (one.fix and one.is_writable))
        return {one.object for one in left if one.keeps_fixes_out}

    def of_severity(self, least: LintSeverity) -> "LintReport":
        """Keep the findings of that severity or worse, and count the others."""
        shown = SEVERITIES[: SEVERITIES.index(least) + 1]
        findings = tuple(finding for finding in self.findings if finding.severity in shown)
        hidden = len(self.findings) - len(findings)
        return replace(self, findings=findings, least=least, not_shown=hidden)

    def fails(self, least: LintSeverity) -> bool:
        return bool(self.of_severity(least).findings)


@dataclass(frozen=True, slots=True)
class RuleSelection:
    """The selected rules, or all, without the ignored ones."""

    selected: frozenset[str] = frozenset()
    """Empty for all."""
    ignored: frozenset[str] = frozenset()

    def has(self, rule: str) -> bool:
        return rule not in self.ignored and (not self.selected or rule in self.selected)


def merged_report(
    sources: Sequence[LintSource],
    found: Iterable[FileFindings],
    selection: RuleSelection,
    clusters: Sequence[str],
) -> LintReport:
    """Merge the findings of files, of the selected rules alone."""
    findings, counts = [], ObjectCounts()
    empty = ignored = acknowledged = 0
    for each in found:
        selected = (finding for finding in each.findings if selection.has(finding.rule))
        findings += sorted(selected, key=lambda finding: (finding.start.line, finding.start.column))
        counts += each.counts
        ignored += _of_selected(each.ignored, selection)
        acknowledged += _of_selected(each.acknowledged, selection)
        empty += not each.counts.objects and not each.findings
    files = {finding.start.file for finding in findings}
    return LintReport(
        findings=tuple(findings),
        files=len(sources),
        counts=counts,
        empty=empty,
        clusters=tuple(clusters),
        ignored=ignored,
        acknowledged=acknowledged,
        sources={each.shown_as: each.content for each in sources if each.shown_as in files},
    )


def _of_selected(counts: Mapping[str, int], selection: RuleSelection) -> int:
    return sum(count for rule, count in counts.items() if selection.has(rule))


def fingerprints(findings: Sequence[LintFinding]) -> list[str]:
    """Return a distinct name for each finding that does not depend on its line.

    Several findings in the same place of an object are told apart by their number.
    """
    counts: Counter[str] = Counter()
    names = []
    for each in findings:
        place = (each.start.file, each.subject, each.rule, each.pointer, each.message)
        name = digest(*place)
        names.append(name if not counts[name] else digest(name, str(counts[name])))
        counts[name] += 1
    return names
