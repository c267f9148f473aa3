"""In which formats `gpuplane lint` prints what it found."""

from enum import StrEnum
from typing import TYPE_CHECKING

from gpuplane import runner_commands
from gpuplane.installed_version import installed_version
from gpuplane.report import ReportKind, print_report
from gpuplane.terminal import has_colours, print_document

if TYPE_CHECKING:
    from gpuplane.lint.report import LintReport


class LintOutput(StrEnum):
    """What is printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"
    GITLAB = "gitlab"


def print_findings(report: "LintReport", output: LintOutput) -> None:
    """Print what was found on stdout."""
    if output is LintOutput.JSON:
        from gpuplane.lint.formats.report_fields import report_fields

        print_report(ReportKind.LINT, report_fields(report))
        return
    without_orders, write = _FORMATS[output]
    print_document(without_orders(write(report)))


def _text(report: "LintReport") -> str:
    from gpuplane.lint.formats.text import to_text

    return to_text(report, colour=has_colours())


def _sarif(report: "LintReport") -> str:
    import os

    from gpuplane.lint.formats.sarif import to_sarif
    from gpuplane.lint.registry import rule_facts

    return to_sarif(report, rule_facts(os.environ), installed_version())


def _github(report: "LintReport") -> str:
    from gpuplane.lint.formats.github import to_github

    return to_github(report)


def _junit(report: "LintReport") -> str:
    from gpuplane.lint.formats.junit import to_junit

    return to_junit(report)


def _gitlab(report: "LintReport") -> str:
    from gpuplane.lint.formats.gitlab import to_gitlab

    return to_gitlab(report)


_FORMATS = {
    LintOutput.TEXT: (runner_commands.without_orders, _text),
    LintOutput.SARIF: (runner_commands.in_json, _sarif),
    LintOutput.GITHUB: (runner_commands.in_commands, _github),
    LintOutput.JUNIT: (runner_commands.in_xml, _junit),
    LintOutput.GITLAB: (runner_commands.in_json, _gitlab),
}
"""What keeps the orders to CI runners out of each format, and what writes it."""
