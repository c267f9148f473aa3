"""The arguments and options of `gpuplane lint`, and which of them go together."""

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.calendar_day import calendar_day
from gpuplane.completion import complete_clusters, complete_lint_rules
from policies.admission import today

if TYPE_CHECKING:
    from gpuplane.lint.acknowledgements import Statement

_ACKNOWLEDGING, _FIXING = "Acknowledging findings", "Fixing"
"""Titles above options in the help."""


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
        metavar="PATH...",
        help="YAML or JSON files, folders (searched recursively), or - for stdin.",
        show_default=False,
    ),
]
ClusterOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--cluster",
        help="Cluster whose rules apply; repeatable. Default: those with the object's namespace, "
        "or all.",
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
        autocompletion=complete_lint_rules,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="Leave this rule out; repeatable.",
        show_default=False,
        autocompletion=complete_lint_rules,
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
        help="Chart, folder or archive, to render and lint; repeatable.",
        show_default=False,
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE", help="Values file for the charts; repeatable.", show_default=False
    ),
]

ObjectsOnly = Annotated[
    bool,
    typer.Option(
        "--objects-only", help="Pass over files that hold no objects, as those in folders are."
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
        rich_help_panel=_ACKNOWLEDGING,
    ),
]
Reason = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Why the findings are intended.",
        show_default=False,
        rich_help_panel=_ACKNOWLEDGING,
    ),
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="WHO",
        help="Who acknowledges them; by default git's user.email.",
        show_default=False,
        rich_help_panel=_ACKNOWLEDGING,
    ),
]
Expires = Annotated[
    dt.date | None,
    typer.Option(
        parser=calendar_day,
        metavar="YYYY-MM-DD",
        help="Last day of the acknowledgement.",
        show_default=False,
        rich_help_panel=_ACKNOWLEDGING,
    ),
]

Fix = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Fix files in place; comments and order are kept.",
        rich_help_panel=_FIXING,
    ),
]
Diff = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Print what --fix would change, and write nothing; exit code 1 if it would.",
        rich_help_panel=_FIXING,
    ),
]


def acknowledging(
    *, acknowledge: bool, reason: str | None, by: str | None, expires: dt.date | None
) -> "Statement | None":
    """Return what is said of findings; None where they are not acknowledged.

    Raises BadParameter for options that say nothing, or not enough.
    """
    given = [name for name, value in (("reason", reason), ("by", by)) if value is not None]
    given += [] if expires is None else ["expires"]
    if not acknowledge:
        if given:
            raise typer.BadParameter(f"--{given[0]} is only allowed with --acknowledge")
        return None
    if not (reason or "").strip():
        raise typer.BadParameter('--acknowledge needs --reason "why this is meant"')
    if expires is not None and expires < today():
        raise typer.BadParameter(f"--expires {expires} has passed; today is {today()}")
    from gpuplane.lint.acknowledgements import Statement, author_of_git

    author = by or author_of_git(Path.cwd())
    if not author:
        raise typer.BadParameter(
            "git has no user.email; name who acknowledges the findings with --by"
        )
    return Statement(reason or "", author, expires)


def check_acknowledgeable(paths: Sequence[str], charts: Sequence[str]) -> None:
    """Raise BadParameter for what no row of the repository's acknowledgements can name."""
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


def check_fixable(
    paths: Sequence[str], charts: Sequence[str], *, acknowledge: bool, fix: bool, diff: bool
) -> None:
    """Raise BadParameter where what is named is in no file that can be written."""
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
