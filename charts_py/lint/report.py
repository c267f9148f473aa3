"""What the linter found in all files."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from charts_py.lint.finding import LintFinding, LintSeverity

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
    sources: Mapping[str, bytes]
    """What the files hold that have findings."""

    @property
    def counts(self) -> Mapping[LintSeverity, int]:
        """How many findings there are of each severity, worst first."""
        counted = Counter(finding.severity for finding in self.findings)
        return {severity: counted[severity] for severity in SEVERITIES}

    @property
    def fixable(self) -> int:
        """How many findings have a fix."""
        return sum(bool(finding.fix) for finding in self.findings)


def at_least(findings: Iterable[LintFinding], least: LintSeverity) -> Sequence[LintFinding]:
    """Return the findings that are that bad or worse."""
    bad = SEVERITIES[: SEVERITIES.index(least) + 1]
    return [finding for finding in findings if finding.severity in bad]
