"""By what a finding is known again where the lines above it have moved."""

from collections import Counter
from collections.abc import Sequence

from gpuplane.lint.digest import digest
from gpuplane.lint.finding import LintFinding


def fingerprints(findings: Sequence[LintFinding]) -> list[str]:
    """Return a name for each finding, no two alike, that follows from no line.

    What is found in the same place of the same object more than once is counted.
    """
    counts: Counter[str] = Counter()
    names = []
    for each in findings:
        place = (each.start.file, each.subject, each.rule, each.pointer, each.message)
        name = digest(*place)
        names.append(name if not counts[name] else digest(name, str(counts[name])))
        counts[name] += 1
    return names
