import datetime as dt
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from gpuplane.application import installed_version
from gpuplane.commands.arguments import Namespace, calendar_day
from gpuplane.commands.named_clusters import cluster_option, each_once
from gpuplane.completion import complete_lint_rules
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, print_report
from gpuplane.parameter_rows import MORE_OPTIONS
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import (
    commands_without_orders,
    has_colours,
    json_without_orders,
    print_document,
    print_patch,
    print_styled,
    progress,
    read_stdin,
    without_orders,
    xml_without_orders,
)

if TYPE_CHECKING:
    from gpuplane.lint.acknowledgements import Statement
    from gpuplane.lint.fixes import FixedFile
    from gpuplane.lint.report import LintReport

LintOutput: TypeAlias = Literal["text", "json", "sarif", "github", "junit", "gitlab"]


def lint(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="Files of YAML or JSON, folders, or - for stdin."),
    ] = None,
    *,
    helm: Annotated[
        list[str] | None,
        typer.Option(
            "--helm",
            metavar="CHART",
            help="Chart to render and lint: a folder or archive; repeatable.",
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Values file for the charts; repeatable."),
    ] = None,
    cluster: Annotated[
        list[str] | None,
        cluster_option(
            "Name or file; repeatable. By default those with the namespace, or all.", each_once
        ),
    ] = None,
    namespace: Namespace = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Show only this rule; repeatable.",
            autocompletion=complete_lint_rules,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Leave this rule out; repeatable.",
            autocompletion=complete_lint_rules,
        ),
    ] = None,
    severity: Annotated[
        Literal["error", "warning", "note"],
        typer.Option("--severity", help="Lowest severity to show."),
    ] = "warning",
    fail_on: Annotated[
        Literal["error", "warning", "note", "never"],
        typer.Option("--fail-on", help="Lowest severity that makes the exit code 1."),
    ] = "error",
    objects_only: Annotated[
        bool,
        typer.Option(
            "--objects-only",
            help="Pass over files that hold no objects.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = False,
    no_cache: Annotated[
        bool,
        typer.Option(
            "--no-cache", help="Neither read nor write the cache.", rich_help_panel=MORE_OPTIONS
        ),
    ] = False,
    acknowledge: Annotated[
        bool, typer.Option("--acknowledge", help="Record the findings as intended; needs --reason.")
    ] = False,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Why the findings are intended.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="WHO", help="Who acknowledges them; by default git's user.email."),
    ] = None,
    expires: Annotated[
        dt.date | None,
        typer.Option(
            parser=calendar_day, metavar="YYYY-MM-DD", help="Last day of the acknowledgement."
        ),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix files in place; comments and order are kept.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --fix would change; exit with 1 if it would.")
    ] = False,
    output: Annotated[LintOutput, typer.Option("--output", "-o", help="What to print.")] = "text",
) -> None:
    """Find what is wrong with GPU workloads in manifests.

    ```console
    gpuplane lint manifests/
    kustomize build overlays/live | gpuplane lint -
    gpuplane lint --helm charts/service --values live.yaml
    gpuplane lint manifests/ --diff    # what --fix would change
    ```

    It judges by the clusters of a platform repository: run it in one, or name one with `-C`. An
    `error` is refused by admission or cannot be read, a `warning` is probably not intended, and a
    `note` is something that admission adds.

    `-o json` prints a `Lint` of `{clusters, files, filesWithoutObjects, objects, gpuWorkloads,
    gpuObjectsUnread, objectsUnjudged, objectsAsPatches, counts: {error, warning, note}, ignored,
    acknowledged, notShown, fixable, items: [{file, line, column, endLine, endColumn, rule,
    severity, subject, document, pointer, message, remedy, clusters, fix}]}`.
    """
    from gpuplane.commands.linting import LintRequest, lint_manifests
    from gpuplane.lint.finding import LintSeverity
    from policies.admission import today

    if not paths and not helm:
        raise typer.BadParameter("name a PATH, - for stdin, or a chart by --helm")
    if values and not helm:
        raise typer.BadParameter("--values is only allowed with --helm")
    if diff and output != "text":
        raise typer.BadParameter(f"--diff prints a diff, and findings are in -o {output}; run both")
    least = LintSeverity.NOTE if fail_on == "note" else LintSeverity(severity)
    statement = _statement(acknowledge=acknowledge, reason=reason, by=by, expires=expires)
    if acknowledge:
        _check_acknowledgeable(paths or (), helm or ())
    _check_fixable(paths or (), helm or (), acknowledge=acknowledge, fix=fix, diff=diff)
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
    with progress("linting"):
        linted = lint_manifests(request, read_stdin)
    if diff:
        files = linted.fixed()
        _print_lines(line for each in files for line in each.unfixed_in(each.source.content))
        print_patch("".join(line for each in files for line in each.diff()))
        if any(each.is_changed for each in files):
            raise typer.Exit(ExitCode.FINDINGS)
        return
    if fix and _write(linted.fixed()):
        linted = lint_manifests(request, read_stdin)
    report = linted.report.of_severity(least)
    if helm:
        from gpuplane.lint.chart_templates import at_templates

        report = at_templates(report, linted.sources)
    _print_findings(report, output)
    if fail_on != "never" and linted.report.fails(LintSeverity(fail_on)):
        raise typer.Exit(ExitCode.FINDINGS)


def _statement(
    *, acknowledge: bool, reason: str | None, by: str | None, expires: dt.date | None
) -> "Statement | None":
    """Return None where findings are not acknowledged; raise BadParameter for missing options."""
    given = [name for name, value in (("reason", reason), ("by", by)) if value is not None]
    given += [] if expires is None else ["expires"]
    if not acknowledge:
        if given:
            raise typer.BadParameter(f"--{given[0]} is only allowed with --acknowledge")
        return None
    if not (reason or "").strip():
        raise typer.BadParameter('--acknowledge needs --reason "why this is meant"')
    from gpuplane.lint.acknowledgements import Statement
    from gpuplane.versions.git import mail_of_user
    from policies.admission import today

    if expires is not None and expires < today():
        raise typer.BadParameter(f"--expires {expires} has passed; today is {today()}")
    author = by or mail_of_user(Path.cwd())
    if not author:
        raise typer.BadParameter(
            "git has no user.email; name who acknowledges the findings with --by"
        )
    return Statement(reason or "", author, expires)


def _check_acknowledgeable(paths: Sequence[str], charts: Sequence[str]) -> None:
    """Raise BadParameter for files that no row of the repository's acknowledgements can name."""
    from gpuplane.admission.manifest_sources import STDIN
    from gpuplane.lint.acknowledgement_key import acknowledgement_file

    if STDIN in paths:
        raise typer.BadParameter(
            "stdin cannot be acknowledged: a row names a file; lint the file, or ignore findings "
            "by a comment where they come from"
        )
    root = acknowledgement_file(Path.cwd()).resolve().parents[1]
    for name in (*paths, *charts):
        if not Path(name).resolve().is_relative_to(root):
            raise typer.BadParameter(
                f"{name} is not below {root}, where rows are kept; run the command in the "
                "repository of the file"
            )


def _check_fixable(
    paths: Sequence[str], charts: Sequence[str], *, acknowledge: bool, fix: bool, diff: bool
) -> None:
    """Raise BadParameter where a fix would have no file to be written to."""
    from gpuplane.admission.manifest_sources import STDIN

    if (fix or diff) and charts:
        raise typer.BadParameter(
            "a chart cannot be fixed: what it renders is in no file; fix its templates by hand"
        )
    if (fix or diff) and acknowledge:
        # --diff writes nothing, and what is acknowledged has nothing left to fix.
        raise typer.BadParameter(
            "--acknowledge cannot be combined with --fix or --diff; run one after the other"
        )
    if fix and not diff and STDIN in paths:
        raise typer.BadParameter("stdin cannot be fixed in place; allowed: files, or --diff")


def _print_findings(report: "LintReport", output: LintOutput) -> None:
    """Print the findings, without orders that a CI runner would obey in any format."""
    if output == "json":
        from gpuplane.lint.formats.report_fields import report_fields

        print_report(ReportKind.LINT, report_fields(report))
    elif output == "text":
        from gpuplane.lint.formats.text import to_text

        print_document(without_orders(to_text(report, colour=has_colours())))
    elif output == "sarif":
        from gpuplane.lint.formats.sarif import to_sarif
        from gpuplane.lint.registry import rule_facts

        log = to_sarif(report, rule_facts(os.environ), installed_version())
        print_document(json_without_orders(log))
    elif output == "github":
        from gpuplane.lint.formats.github import to_github

        print_document(commands_without_orders(to_github(report)))
    elif output == "junit":
        from gpuplane.lint.formats.junit import to_junit

        print_document(xml_without_orders(to_junit(report)))
    else:
        from gpuplane.lint.formats.gitlab import to_gitlab

        print_document(json_without_orders(to_gitlab(report)))


def _write(files: "Sequence[FixedFile]") -> bool:
    """Write the fixes and count them on stderr; return whether a file changed."""
    from gpuplane.lint.fixes import write_fixed

    _print_lines(line for each in files for line in each.unfixed_in(each.after))
    write_fixed(files)
    fixed, changed = sum(len(each.fixed) for each in files), sum(each.is_changed for each in files)
    print_styled(f"findings fixed: {fixed}, in files: {changed}", err=True)
    return bool(changed)


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print_styled(line, err=True)
