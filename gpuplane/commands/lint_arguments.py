"""The options of `gpuplane lint`, and what they say of findings that are acknowledged."""

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.lint_output import LintOutput
from gpuplane.completion import complete_clusters, complete_rules

if TYPE_CHECKING:
    from charts_py.lint.acknowledgements.new_rows import Statement


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
Failing = Annotated[
    FailOn,
    typer.Option("--fail-on", help="Least severity of a finding by which the exit code is 1."),
]
Least = Annotated[
    Severity,
    typer.Option("--severity", help="Least severity that is told, besides that of --fail-on."),
]
Charts = Annotated[
    list[str] | None,
    typer.Option(
        "--helm",
        metavar="CHART",
        help="Folder or archive of a chart, of which is judged what Helm renders; repeatable.",
        show_default=False,
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE", help="Values for the charts; repeatable.", show_default=False),
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Judge everything again, and keep nothing.")
]
Acknowledge = Annotated[
    bool,
    typer.Option(
        "--acknowledge",
        help="Write down in .gpuplane/acknowledged.yaml that what is found is meant; needs "
        "--reason.",
    ),
]
Reason = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Why what is found is meant.", show_default=False),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="WHO",
        help="Who acknowledges it; by default the email address that git knows.",
        show_default=False,
    ),
]
Expires = Annotated[
    dt.datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"],
        metavar="DATE",
        help="Last day on which that holds.",
        show_default=False,
    ),
]
Fix = Annotated[
    bool, typer.Option("--fix", help="Fix in place what has a fix; comments and order stay.")
]
Diff = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Write nothing, and print what --fix would change as a diff; exit code 1 where "
        "something would.",
    ),
]


def today() -> dt.date:
    """Return the day by which exceptions and acknowledgements expire."""
    return dt.datetime.now(dt.UTC).date()


def acknowledging(
    *, acknowledge: bool, reason: str | None, by: str | None, expires: dt.datetime | None
) -> "Statement | None":
    """Return what is said of findings; None where they are not acknowledged.

    Raises BadParameter for options that say nothing, or not enough.
    """
    given = [name for name, value in (("reason", reason), ("by", by)) if value is not None]
    given += [] if expires is None else ["expires"]
    if not acknowledge:
        if given:
            raise typer.BadParameter(f"--{given[0]} says something of --acknowledge alone")
        return None
    if not (reason or "").strip():
        raise typer.BadParameter('--acknowledge needs --reason "why this is meant"')
    if expires is not None and expires.date() < today():
        raise typer.BadParameter(f"--expires {expires.date()} has passed; today is {today()}")
    from charts_py.lint.acknowledgements.new_rows import Statement
    from gpuplane.lint_acknowledgements import author_of_git

    author = by or author_of_git(Path.cwd())
    if not author:
        raise typer.BadParameter("git knows no user.email; name who acknowledges it by --by")
    return Statement(reason or "", author, None if expires is None else expires.date())


def check_fixable(paths: Sequence[str], charts: Sequence[str], *, fix: bool, diff: bool) -> None:
    """Raise BadParameter where what is named is in no file that can be written."""
    from charts_py.admission.manifest_sources import STDIN

    if (fix or diff) and charts:
        raise typer.BadParameter("what a chart renders is in no file; fix its templates by hand")
    if fix and not diff and STDIN in paths:
        raise typer.BadParameter("stdin cannot be fixed in place; allowed: files, or --diff")
