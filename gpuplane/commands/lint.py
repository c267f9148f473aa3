"""`gpuplane lint`."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.admit import Namespace
from gpuplane.completion import complete_clusters, complete_rules
from gpuplane.exit_code import ExitCode
from gpuplane.platform_repository import repository_of
from gpuplane.report import ReportKind, print_report
from gpuplane.terminal import has_colours, print_document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from charts_py.lint.cluster_facts import ClusterFacts
    from charts_py.lint.lint_source import LintSource
    from charts_py.lint.lint_terms import LintTerms
    from charts_py.lint.report import LintReport
    from charts_py.lint.selected_rules import RuleSelection


class LintOutput(StrEnum):
    """What is printed."""

    TEXT = "text"
    JSON = "json"


class FailOn(StrEnum):
    """The least severity of a finding by which the command fails."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help="Files of YAML or JSON; folders, with all that is in them; - for stdin.",
        show_default=False,
    ),
]
ClusterOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--cluster",
        help="Name of a cluster by whose rules to judge; repeatable. By default those with the "
        "namespace of the object, or all where none has it.",
        show_default=False,
        autocompletion=complete_clusters,
    ),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="Tell of this rule alone; repeatable.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="Do not tell of this rule; repeatable.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]
AsOutput = Annotated[LintOutput, typer.Option("--output", "-o", help="What to print on stdout.")]
Least = Annotated[
    FailOn, typer.Option(help="Least severity of a finding by which the exit code is 1.")
]

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Judge everything again, and keep nothing.")
]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a user wants to know."""

    paths: "Sequence[str]"
    clusters: "Sequence[str]"
    namespace: str | None
    select: "Sequence[str]"
    ignore: "Sequence[str]"
    _: KW_ONLY
    no_cache: bool


def lint(
    context: typer.Context,
    paths: Paths = None,
    *,
    cluster: ClusterOptions = None,
    namespace: Namespace = None,
    select: Select = None,
    ignore: Ignore = None,
    fail_on: Least = FailOn.ERROR,
    no_cache: NoCache = False,
    output: AsOutput = LintOutput.TEXT,
) -> None:
    """Find what is wrong with GPU workloads in manifests, before anybody applies them.

    An `error` is what admission refuses or nobody can read, a `warning` is likely not meant, and a
    `note` is what admission adds.

    ```console
    gpuplane lint manifests/
    kustomize build overlays/live | gpuplane lint -
    gpuplane lint manifests/ --cluster training --fail-on warning
    ```

    `-o json` prints a `Lint` of `{clusters, files, objects, gpuWorkloads, counts: {error, warning,
    note}, fixable, items: [{file, line, column, endLine, endColumn, rule, severity, subject,
    document, pointer, message, remedy, clusters, fix}]}`.
    """
    from charts_py.lint.finding import LintSeverity
    from charts_py.lint.report import at_least

    asked = _Asked(
        paths or (), cluster or (), namespace, select or (), ignore or (), no_cache=no_cache
    )
    report = _report(context, asked)
    _print(report, output)
    if at_least(report.findings, LintSeverity(fail_on)):
        raise typer.Exit(ExitCode.FINDINGS)


def _report(context: typer.Context, asked: "_Asked") -> "LintReport":
    import datetime as dt
    import os

    from charts_py.lint.cache_folder import cache_folder
    from charts_py.lint.lint_run import LintRun
    from charts_py.lint.lint_source import lint_sources
    from charts_py.lint.lint_terms import LintTerms
    from charts_py.lint.merged_report import merged_report
    from gpuplane.standard_streams import read_stdin

    cache = None if asked.no_cache else cache_folder(os.environ)
    run = LintRun(cache, _load, _judge)
    clusters = run.clusters(repository_of(context).clusters, asked.clusters)
    selection = _selection(asked, [name for each in clusters for name in each.own_rules])
    sources = lint_sources(asked.paths, read_stdin)
    terms = LintTerms(dt.datetime.now(dt.UTC).date(), asked.namespace)
    found = run.findings(sources, clusters, terms)
    return merged_report(sources, found, selection, [each.name for each in clusters])


def _load(folder: "Path", names: "Sequence[str]") -> "tuple[ClusterFacts, ...]":
    from charts_py.lint.loaded_clusters import loaded_clusters

    return loaded_clusters(folder, names)


def _judge(
    sources: "Sequence[LintSource]", clusters: "Sequence[ClusterFacts]", terms: "LintTerms"
) -> "Sequence[str]":
    from charts_py.lint.judging import judged_texts

    return judged_texts(sources, clusters, terms)


def _selection(asked: "_Asked", own: "Sequence[str]") -> "RuleSelection":
    from charts_py.lint.selected_rules import RuleSelection

    if not asked.select and not asked.ignore:
        return RuleSelection()
    from charts_py.lint.rule_selection import rule_selection

    return rule_selection(asked.select, asked.ignore, own)


def _print(report: "LintReport", output: LintOutput) -> None:
    from charts_py.lint.formats.report_fields import report_fields
    from charts_py.lint.formats.text import to_text

    if output is LintOutput.JSON:
        print_report(ReportKind.LINT, report_fields(report))
    else:
        print_document(to_text(report, colour=has_colours()))
