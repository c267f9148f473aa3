"""The arguments and options of `gpuplane lint`."""

import datetime as dt
from enum import StrEnum
from typing import Annotated

import typer

from gpuplane.calendar_day import calendar_day
from gpuplane.commands.lint_output import LintOutput
from gpuplane.completion import complete_clusters, complete_lint_rules

_ACKNOWLEDGING, _FIXING = "Acknowledging findings", "Fixing"
"""Titles above options in the help."""


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
