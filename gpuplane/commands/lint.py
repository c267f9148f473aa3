"""`gpuplane lint`."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.calendar_day import calendar_day
from gpuplane.commands.admit import Namespace
from gpuplane.completion import complete_clusters, complete_rules
from gpuplane.exit_code import ExitCode
from gpuplane.platform_repository import repository_of
from gpuplane.report import ReportKind, print_report
from gpuplane.terminal import has_colours, print_document, print_styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from charts_py.lint.acknowledgements.new_rows import Statement
    from charts_py.lint.cluster_facts import ClusterFacts
    from charts_py.lint.file_findings import FileFindings
    from charts_py.lint.finding import LintSeverity
    from charts_py.lint.fixed_file import FixedFile
    from charts_py.lint.lint_source import LintSource
    from charts_py.lint.lint_terms import LintTerms
    from charts_py.lint.report import LintReport
    from charts_py.lint.selected_rules import RuleSelection


class LintOutput(StrEnum):
    """What is printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"
    GITLAB = "gitlab"


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FailOn(StrEnum):
    """The least severity of a finding by which the command fails."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help="YAML or JSON files, folders (searched recursively), or - for stdin.",
        show_default=False,
    ),
]
ClusterOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--cluster",
        help="Cluster whose rules apply; repeatable. By default, the clusters that have the "
        "object's namespace, or all of them if none has it.",
        show_default=False,
        autocompletion=complete_clusters,
    ),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="Show only this rule; repeatable.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="Leave this rule out; repeatable.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]
AsOutput = Annotated[LintOutput, typer.Option("--output", "-o", help="What to print on stdout.")]
Failing = Annotated[
    FailOn,
    typer.Option("--fail-on", help="Lowest severity that makes the exit code 1."),
]
Least = Annotated[
    Severity,
    typer.Option("--severity", help="Lowest severity to show; --fail-on note shows notes, too."),
]
Charts = Annotated[
    list[str] | None,
    typer.Option(
        "--helm",
        metavar="CHART",
        help="Chart folder or archive; what Helm renders from it is linted; repeatable.",
        show_default=False,
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE", help="Values file for the charts; repeatable.", show_default=False
    ),
]

NoCache = Annotated[
    bool,
    typer.Option("--no-cache", help="Lint everything again; neither read nor write the cache."),
]

Acknowledge = Annotated[
    bool,
    typer.Option(
        "--acknowledge",
        help="Record the findings in .gpuplane/acknowledged.yaml as intended; needs --reason.",
    ),
]
Reason = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Why the findings are intended.", show_default=False),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="WHO",
        help="Who acknowledges them; by default git's user.email.",
        show_default=False,
    ),
]
Expires = Annotated[
    dt.date | None,
    typer.Option(
        parser=calendar_day,
        metavar="YYYY-MM-DD",
        help="Last day of the acknowledgement.",
        show_default=False,
    ),
]

Fix = Annotated[
    bool, typer.Option("--fix", help="Fix files in place; comments and order are kept.")
]
Diff = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Print what --fix would change as a diff, and write nothing; exit code 1 if "
        "anything would change.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a user wants to know."""

    paths: "Sequence[str]"
    charts: "Sequence[str]"
    values: "Sequence[str]"
    clusters: "Sequence[str]"
    namespace: str | None
    select: "Sequence[str]"
    ignore: "Sequence[str]"
    severity: "LintSeverity"
    no_cache: bool
    statement: "Statement | None"


@dataclass(frozen=True, slots=True)
class _Judged:
    """What was read, by which rules it was judged, and what was found."""

    sources: "Sequence[LintSource]"
    clusters: "Sequence[ClusterFacts]"
    terms: "LintTerms"
    selection: "RuleSelection"
    report: "LintReport"


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

    An `error` is refused by admission or cannot be read, a `warning` is probably not intended, and
    a `note` is something that admission adds.

    ```console
    gpuplane lint manifests/
    gpuplane lint manifests/ --cluster training --severity note
    gpuplane lint manifests/ --output sarif > lint.sarif
    kustomize build overlays/live | gpuplane lint -
    gpuplane lint --helm charts/service --values live.yaml --namespace recommendations
    gpuplane lint examples/ --select job-ttl --acknowledge --reason "ends with its namespace"
    gpuplane lint manifests/ --diff    # what could be fixed
    gpuplane lint manifests/ --fix
    ```

    `--fix` makes a fix if all clusters that judge the object would make the same one; `--cluster`,
    `--select` and `--ignore` narrow it down. It changes only what a finding names. If a file cannot
    be written, no file is. The findings that remain are then printed as usual.

    `-o json` prints a `Lint` of `{clusters, files, filesWithoutObjects, objects, gpuWorkloads,
    counts: {error, warning, note}, ignored, acknowledged, untold, fixable, items: [{file, line,
    column, endLine, endColumn, rule, severity, subject, document, pointer, message, remedy,
    clusters, fix}]}`.
    """
    from charts_py.lint.finding import LintSeverity

    told = LintSeverity.NOTE if fail_on is FailOn.NOTE else LintSeverity(severity)
    if not paths and not helm:
        raise typer.BadParameter("name a PATH, - for stdin, or a chart by --helm")
    if values and not helm:
        raise typer.BadParameter("--values is only allowed with --helm")
    if diff and output is not LintOutput.TEXT:
        raise typer.BadParameter(f"--diff prints a diff, and findings are in -o {output}; run both")
    asked = _Asked(
        paths=paths or (),
        charts=helm or (),
        values=values or (),
        clusters=cluster or (),
        namespace=namespace,
        select=select or (),
        ignore=ignore or (),
        severity=told,
        no_cache=no_cache,
        statement=_statement(acknowledge=acknowledge, reason=reason, by=by, expires=expires),
    )
    _check_fixable(asked, fix=fix, diff=diff)
    judged = _judged(context, asked)
    if diff:
        _print_diff(judged)
        return
    if fix and _fix(judged):
        judged = _judged(context, asked)
    _print(judged.report.of_severity(told), output)
    if fail_on is not FailOn.NEVER and judged.report.fails(LintSeverity(fail_on)):
        raise typer.Exit(ExitCode.FINDINGS)


def _today() -> dt.date:
    """Return the day by which exceptions and acknowledgements expire."""
    return dt.datetime.now(dt.UTC).date()


def _statement(
    *, acknowledge: bool, reason: str | None, by: str | None, expires: dt.date | None
) -> "Statement | None":
    """Return what is said of findings; None where they are not acknowledged."""
    given = [name for name, value in (("reason", reason), ("by", by)) if value is not None]
    given += [] if expires is None else ["expires"]
    if not acknowledge:
        if given:
            raise typer.BadParameter(f"--{given[0]} is only allowed with --acknowledge")
        return None
    if not (reason or "").strip():
        raise typer.BadParameter('--acknowledge needs --reason "why this is meant"')
    if expires is not None and expires < _today():
        raise typer.BadParameter(f"--expires {expires} has passed; today is {_today()}")
    from charts_py.lint.acknowledgements.new_rows import Statement
    from gpuplane.lint_acknowledgements import author_of_git

    author = by or author_of_git(Path.cwd())
    if not author:
        raise typer.BadParameter(
            "git has no user.email; name who acknowledges the findings with --by"
        )
    return Statement(reason or "", author, expires)


def _check_fixable(asked: _Asked, *, fix: bool, diff: bool) -> None:
    from charts_py.admission.manifest_sources import STDIN

    if (fix or diff) and asked.charts:
        raise typer.BadParameter(
            "a chart cannot be fixed: what it renders is in no file; fix its templates by hand"
        )
    if (fix or diff) and asked.statement is not None:
        # --diff writes nothing, and what is acknowledged has nothing left to fix.
        raise typer.BadParameter(
            "--acknowledge cannot be combined with --fix or --diff; run one after the other"
        )
    if fix and not diff and STDIN in asked.paths:
        raise typer.BadParameter("stdin cannot be fixed in place; allowed: files, or --diff")


def _fix(judged: "_Judged") -> bool:
    """Write what can be fixed, and tell of it on stderr; return whether something was."""
    from charts_py.lint.fixed_file import write_fixed

    files = _fixed(judged)
    write_fixed(files)
    fixed, changed = sum(len(each.fixed) for each in files), sum(each.is_changed for each in files)
    print_styled(f"findings fixed: {fixed}, in files: {changed}", err=True)
    return bool(changed)


def _print_diff(judged: "_Judged") -> None:
    files = _fixed(judged)
    print_document("".join(line for each in files for line in each.diff()))
    if any(each.is_changed for each in files):
        raise typer.Exit(ExitCode.FINDINGS)


def _fixed(judged: "_Judged") -> "Sequence[FixedFile]":
    from charts_py.lint.fixes import fixed_files

    fixable = {each.start.file for each in judged.report.findings if each.fix}
    sources = [each for each in judged.sources if each.shown_as in fixable]
    told = frozenset(each.place for each in judged.report.findings)
    files = fixed_files(sources, judged.clusters, judged.terms, judged.selection, told)
    for unfixed in (one for each in files for one in each.unfixed):
        print_styled(str(unfixed), err=True)
    return files


def _judged(context: typer.Context, asked: "_Asked") -> "_Judged":
    import os

    from charts_py.lint.acknowledgements.place import acknowledgement_file
    from charts_py.lint.cache_folder import cache_folder
    from charts_py.lint.lint_run import LintRun
    from charts_py.lint.lint_source import lint_sources
    from charts_py.lint.lint_terms import LintTerms
    from charts_py.lint.merged_report import merged_report
    from gpuplane.standard_streams import read_stdin

    cache = None if asked.no_cache else cache_folder(os.environ)
    run = LintRun(cache, _load, _judge)
    clusters = run.clusters(repository_of(context).clusters, asked.clusters)
    own_rules = [name for each in clusters for name in each.own_rules]
    selection = _selection(asked, own_rules)
    sources = (*lint_sources(asked.paths, read_stdin), *_rendered(asked, clusters))
    terms = LintTerms(_today(), asked.namespace)
    found = run.findings(sources, clusters, terms)

    def told(left: "Sequence[FileFindings]") -> _Judged:
        names = [each.name for each in clusters]
        report = merged_report(sources, left, selection, names)
        return _Judged(sources, clusters, terms, selection, report)

    file = acknowledgement_file(Path.cwd())
    if asked.statement is None and not file.exists():
        return told(found)
    from gpuplane.lint_acknowledgements import LintAcknowledgements

    acknowledgements = LintAcknowledgements(file, own_rules, terms.today)
    if asked.statement is not None:
        left = told(acknowledgements.left_of(found, sources)).report
        shown = left.of_severity(asked.severity)
        acknowledgements.add(shown.findings, asked.statement)
    return told(acknowledgements.left_of(found, sources))


def _rendered(asked: _Asked, clusters: "Sequence[ClusterFacts]") -> "Sequence[LintSource]":
    if not asked.charts:
        return ()
    from charts_py.lint.chart_sources import chart_sources
    from charts_py.lint.lint_terms import DEFAULT_NAMESPACE

    # Of several clusters the first one that is named decides.
    namespace = asked.namespace or DEFAULT_NAMESPACE
    return chart_sources(asked.charts, asked.values, namespace, clusters[0].kubernetes)


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
    if output is LintOutput.JSON:
        from charts_py.lint.formats.report_fields import report_fields

        print_report(ReportKind.LINT, report_fields(report))
        return
    print_document(_FORMATS[output](report))


def _text(report: "LintReport") -> str:
    from charts_py.lint.formats.text import to_text

    return to_text(report, colour=has_colours())


def _sarif(report: "LintReport") -> str:
    import os

    from charts_py.lint.formats.sarif import to_sarif
    from charts_py.lint.rule_facts import rule_facts
    from gpuplane.commands.version import installed_version

    return to_sarif(report, rule_facts(os.environ), installed_version())


def _github(report: "LintReport") -> str:
    from charts_py.lint.formats.github import to_github

    return to_github(report)


def _junit(report: "LintReport") -> str:
    from charts_py.lint.formats.junit import to_junit

    return to_junit(report)


def _gitlab(report: "LintReport") -> str:
    from charts_py.lint.formats.gitlab import to_gitlab

    return to_gitlab(report)


_FORMATS = {
    LintOutput.TEXT: _text,
    LintOutput.SARIF: _sarif,
    LintOutput.GITHUB: _github,
    LintOutput.JUNIT: _junit,
    LintOutput.GITLAB: _gitlab,
}
