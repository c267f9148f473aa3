"""`gpuplane lint`."""

import os
from typing import TYPE_CHECKING

import typer

from gpuplane import runner_commands
from gpuplane.commands.admit import Namespace
from gpuplane.commands.lint_arguments import (
    Acknowledge,
    AsOutput,
    By,
    Charts,
    ClusterOptions,
    Diff,
    Expires,
    Failing,
    FailOn,
    Fix,
    Ignore,
    Least,
    LintOutput,
    NoCache,
    ObjectsOnly,
    Paths,
    Reason,
    Select,
    Severity,
    Values,
    acknowledging,
    check_acknowledgeable,
    check_fixable,
)
from gpuplane.exit_code import ExitCode
from gpuplane.installed_version import installed_version
from gpuplane.platform_repository import repository_of
from gpuplane.report import ReportKind, print_report
from gpuplane.terminal import has_colours, print_document, print_patch, print_styled
from policies.admission import today

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuplane.lint.fixes import FixedFile
    from gpuplane.lint.report import LintReport


def lint(
    context: typer.Context,
    paths: Paths = None,
    *,
    helm: Charts = None,
    values: Values = None,
    cluster: ClusterOptions = None,
    namespace: Namespace = None,
    select: Select = None,
    ignore: Ignore = None,
    severity: Least = Severity.WARNING,
    fail_on: Failing = FailOn.ERROR,
    objects_only: ObjectsOnly = False,
    no_cache: NoCache = False,
    acknowledge: Acknowledge = False,
    reason: Reason = None,
    by: By = None,
    expires: Expires = None,
    fix: Fix = False,
    diff: Diff = False,
    output: AsOutput = LintOutput.TEXT,
) -> None:
    """Find what is wrong with GPU workloads in manifests, before anybody applies them.

    It judges by the clusters of a platform repository: run it in one, or name one with `-C`. An
    `error` is refused by admission or cannot be read, a `warning` is probably not intended, and a
    `note` is something that admission adds.

    ```console
    gpuplane lint manifests/
    kustomize build overlays/live | gpuplane lint -
    gpuplane lint --helm charts/service --values live.yaml --namespace recommendations
    gpuplane lint manifests/ --diff    # what --fix would change
    ```

    `-o json` prints a `Lint` of `{clusters, files, filesWithoutObjects, objects, gpuWorkloads,
    counts: {error, warning, note}, ignored, acknowledged, notShown, fixable, items: [{file,
    line, column, endLine, endColumn, rule, severity, subject, document, pointer, message,
    remedy, clusters, fix}]}`.
    """
    from gpuplane.commands.linting import LintRequest, lint_manifests
    from gpuplane.lint.finding import LintSeverity
    from gpuplane.standard_streams import read_stdin

    if not paths and not helm:
        raise typer.BadParameter("name a PATH, - for stdin, or a chart by --helm")
    if values and not helm:
        raise typer.BadParameter("--values is only allowed with --helm")
    if diff and output is not LintOutput.TEXT:
        raise typer.BadParameter(f"--diff prints a diff, and findings are in -o {output}; run both")
    least = LintSeverity.NOTE if fail_on is FailOn.NOTE else LintSeverity(severity)
    statement = acknowledging(acknowledge=acknowledge, reason=reason, by=by, expires=expires)
    if acknowledge:
        check_acknowledgeable(paths or (), helm or ())
    check_fixable(paths or (), helm or (), acknowledge=acknowledge, fix=fix, diff=diff)
    request = LintRequest(
        folder=repository_of(context).clusters,
        today=today(),
        paths=paths or (),
        charts=helm or (),
        values=values or (),
        clusters=cluster or (),
        namespace=namespace,
        select=select or (),
        ignore=ignore or (),
        severity=least,
        of_objects_only=objects_only,
        is_cached=not no_cache,
        statement=statement,
    )
    linted = lint_manifests(request, read_stdin)
    if diff:
        _print_diff(linted.fixed())
        return
    if fix and _write(linted.fixed()):
        linted = lint_manifests(request, read_stdin)
    _print_findings(linted.report.of_severity(least), output)
    if fail_on is not FailOn.NEVER and linted.report.fails(LintSeverity(fail_on)):
        raise typer.Exit(ExitCode.FINDINGS)


def _print_findings(report: "LintReport", output: LintOutput) -> None:
    """Print the findings, without orders that a CI runner would obey in any format."""
    if output is LintOutput.JSON:
        from gpuplane.lint.formats.report_fields import report_fields

        print_report(ReportKind.LINT, report_fields(report))
    elif output is LintOutput.TEXT:
        from gpuplane.lint.formats.text import to_text

        print_document(runner_commands.without_orders(to_text(report, colour=has_colours())))
    elif output is LintOutput.SARIF:
        from gpuplane.lint.formats.sarif import to_sarif
        from gpuplane.lint.registry import rule_facts

        log = to_sarif(report, rule_facts(os.environ), installed_version())
        print_document(runner_commands.in_json(log))
    elif output is LintOutput.GITHUB:
        from gpuplane.lint.formats.github import to_github

        print_document(runner_commands.in_commands(to_github(report)))
    elif output is LintOutput.JUNIT:
        from gpuplane.lint.formats.junit import to_junit

        print_document(runner_commands.in_xml(to_junit(report)))
    else:
        from gpuplane.lint.formats.gitlab import to_gitlab

        print_document(runner_commands.in_json(to_gitlab(report)))


def _print_diff(files: "Sequence[FixedFile]") -> None:
    _print_unfixed(files)
    print_patch("".join(line for each in files for line in each.diff()))
    if any(each.is_changed for each in files):
        raise typer.Exit(ExitCode.FINDINGS)


def _write(files: "Sequence[FixedFile]") -> bool:
    """Write what can be fixed, and report it on stderr; return whether something was."""
    from gpuplane.lint.fixes import write_fixed

    _print_unfixed(files)
    write_fixed(files)
    fixed, changed = sum(len(each.fixed) for each in files), sum(each.is_changed for each in files)
    print_styled(f"findings fixed: {fixed}, in files: {changed}", err=True)
    return bool(changed)


def _print_unfixed(files: "Sequence[FixedFile]") -> None:
    for unfixed in (one for each in files for one in each.unfixed):
        print_styled(str(unfixed), err=True)
