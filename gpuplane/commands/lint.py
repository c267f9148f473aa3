"""`gpuplane lint`."""

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
    from charts_py.lint.report import LintReport


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


def lint(
    context: typer.Context,
    paths: Paths = None,
    *,
    cluster: ClusterOptions = None,
    namespace: Namespace = None,
    select: Select = None,
    ignore: Ignore = None,
    fail_on: Least = FailOn.ERROR,
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

    report = _report(context, paths or [], cluster or [], namespace, select or [], ignore or [])
    _print(report, output)
    if at_least(report.findings, LintSeverity(fail_on)):
        raise typer.Exit(ExitCode.FINDINGS)


def _report(
    context: typer.Context,
    paths: list[str],
    clusters: list[str],
    namespace: str | None,
    select: list[str],
    ignore: list[str],
) -> "LintReport":
    from charts_py.admission.manifest_sources import read_sources
    from charts_py.lint.cluster_judge import cluster_judge
    from charts_py.lint.file_findings import Judgement, file_findings
    from charts_py.lint.linting import lint_report
    from charts_py.lint.loaded_clusters import loaded_clusters
    from charts_py.lint.rule_selection import rule_selection
    from gpuplane.object_admission import DEFAULT_NAMESPACE
    from gpuplane.standard_streams import read_stdin
    from policies.admission import Review
    from webhook.reviewer import today

    judges = [*map(cluster_judge, loaded_clusters(repository_of(context).clusters, clusters))]
    own = [rule.name for judge in judges for rule in judge.rules.engine.settings.own]
    selection = rule_selection(select, ignore, own)
    sources = read_sources(paths, read_stdin).read
    judgement = Judgement(judges, Review(DEFAULT_NAMESPACE, today()), namespace)
    found = [file_findings(source, judgement) for source in sources]
    return lint_report(sources, found, selection, [judge.name for judge in judges])


def _print(report: "LintReport", output: LintOutput) -> None:
    from charts_py.lint.formats.report_fields import report_fields
    from charts_py.lint.formats.text import to_text

    if output is LintOutput.JSON:
        print_report(ReportKind.LINT, report_fields(report))
    else:
        print_document(to_text(report, colour=has_colours()))
