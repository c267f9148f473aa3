"""What the linter found in all files."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuplane.lint.finding import LintFinding, LintSeverity

SEVERITIES = (LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE)
"""Worst first."""


@dataclass(frozen=True, slots=True)
class LintReport:
    """What was found."""

    findings: tuple[LintFinding, ...]
    """In the order of files, lines and columns."""
    files: int
    objects: int
    gpu_workloads: Mapping[str, int]
    """How many objects ask for GPUs, by kind."""
    clusters: tuple[str, ...]
    """By whose rules was judged."""
    empty: int
    """How many files hold no object, which is not a finding."""
    sources: Mapping[str, bytes]
    """What the files hold that have findings."""
    ignored: int = 0
    """How many findings comments leave out."""
    acknowledged: int = 0
    """How many findings somebody has acknowledged."""
    not_shown: int = 0
    """How many findings are less bad than was asked for."""

    @property
    def counts(self) -> Mapping[LintSeverity, int]:
        """How many findings there are of each severity, worst first."""
        counted = Counter(finding.severity for finding in self.findings)
        return {severity: counted[severity] for severity in SEVERITIES}

    @property
    def fixable(self) -> int:
        """How many findings have a fix that all clusters would make."""
        return sum(bool(finding.fix) and finding.is_agreed for finding in self.findings)

    def of_severity(self, least: LintSeverity) -> "LintReport":
        """Return the report with the findings that are that bad or worse, and count the others."""
        shown = SEVERITIES[: SEVERITIES.index(least) + 1]
        findings = tuple(finding for finding in self.findings if finding.severity in shown)
        return replace(self, findings=findings, not_shown=len(self.findings) - len(findings))

    def fails(self, least: LintSeverity) -> bool:
        """Whether a finding is that bad or worse."""
        return bool(self.of_severity(least).findings)
