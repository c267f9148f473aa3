"""Findings as JUnit XML: a suite for each file, in which each finding is a case that fails.

https://github.com/testmoapp/junitxml
"""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring  # writes only

from gpuplane.lint.finding import LintFinding, LintSeverity
from gpuplane.lint.report import LintReport
from policies.document import printable


def to_junit(report: LintReport) -> str:
    """Return the findings as test cases; notes pass, and are in the output of their case."""
    by_file: dict[str, list[LintFinding]] = {}
    for finding in report.findings:
        by_file.setdefault(printable(finding.start.file), []).append(finding)
    suites = Element("testsuites", {"name": "gpuplane lint", **_counts(report.findings)})
    for file, findings in by_file.items():
        suite = SubElement(suites, "testsuite", {"name": file, **_counts(findings)})
        for finding in findings:
            _case(suite, file, finding)
    indent(suites)
    text: str = tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(suite: Element, file: str, finding: LintFinding) -> None:
    name = f"{finding.rule} at {finding.start.line}:{finding.start.column}"
    case = SubElement(
        suite, "testcase", name=name, classname=file, file=file, line=str(finding.start.line)
    )
    message = finding.full_message
    if finding.severity is LintSeverity.NOTE:
        SubElement(case, "system-out").text = message
        return
    failure = SubElement(case, "failure", message=message, type=finding.severity.value)
    failure.text = f"{printable(str(finding.start))}: {finding.rule}: {message}"


def _counts(findings: Sequence[LintFinding]) -> dict[str, str]:
    failures = sum(finding.severity is not LintSeverity.NOTE for finding in findings)
    return {"tests": str(len(findings)), "failures": str(failures)}
