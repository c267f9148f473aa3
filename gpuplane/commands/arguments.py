"""Arguments and options that several commands take, and questions that they ask."""

import datetime as dt
import os
import re
import sys
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, print_report
from gpuplane.parameter_rows import MORE_OPTIONS
from gpuplane.tables import DocumentOutput, Section, print_section
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from charts_py.cluster_file.fault import Fault
    from charts_py.platform.platform import Platform
    from gpuplane.platform_repository import PlatformRepository

FETCHED = Path(".tools/upstream")
"""Folder of the pinned files of other projects; not part of the repository."""

MIRROR_VARIABLE = "GPUPLANE_MIRROR"
"""It names another folder of theirs."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Output(StrEnum):
    """Forms of a command's stdout: text for people, or a report."""

    TEXT = "text"
    JSON = "json"


AsOutput = Annotated[Output, typer.Option("--output", "-o", help="What to print.")]
AsDocument = Annotated[DocumentOutput, typer.Option("--output", "-o", help="What to print.")]
Detail = Annotated[bool, typer.Option("--detail", help="Print all tables and notes.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is wrong.")]
Base = Annotated[
    str | None,
    typer.Option(metavar="REF", help="Compare with where this branch left a git reference."),
]
BaseExact = Annotated[
    bool,
    typer.Option(
        "--base-exact",
        help="Compare with the tip of --base, which may have what others merged since.",
        rich_help_panel=MORE_OPTIONS,
    ),
]


def existing_folder(given: Path | None) -> Path | None:
    """Raise BadParameter for what is no folder, with the one beside it of the nearest name."""
    if given is None or given.is_dir():
        return given
    from gpus.nearest import nearest, nearest_hint

    what = "is a file" if given.exists() else "no such folder"
    beside = given.absolute().parent
    folders = [each.name for each in beside.iterdir() if each.is_dir()] if beside.is_dir() else []
    near = [str(given.with_name(name)) for name in nearest(given.name, folders)]
    raise typer.BadParameter(
        f"{given}: {what}; allowed: a folder of pinned files{nearest_hint(near)}"
    )


PinnedFiles = Annotated[
    Path | None,
    typer.Option(
        "--mirror",
        envvar=MIRROR_VARIABLE,
        callback=existing_folder,
        help=f"Folder of the pinned files, for charts that are rendered; by default {FETCHED}.",
        rich_help_panel=MORE_OPTIONS,
    ),
]
MainBranch = Annotated[
    str | None,
    typer.Option(
        metavar="REF",
        help="Git reference of the main branch; by default origin/HEAD, origin/main or main.",
        rich_help_panel=MORE_OPTIONS,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]
Check = Annotated[
    bool, typer.Option("--check", help="Write nothing; exit with 1 where something would change.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; show what would change.")]


def _namespace(name: str | None) -> str | None:
    if name is None:
        return None
    from charts_py.platform.name_rule import NAMESPACE, check_name

    for problem in check_name(NAMESPACE, (), name):
        raise typer.BadParameter(str(problem))
    return name


Namespace = Annotated[
    str | None,
    typer.Option(
        "--namespace", "-n", help="Namespace; by default the manifest's.", callback=_namespace
    ),
]


def calendar_day(text: str) -> dt.date:
    """Raise BadParameter for text that is not a day."""
    if not _DAY.fullmatch(text):
        raise typer.BadParameter(f'"{text}" is not a day; allowed: YYYY-MM-DD')
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text} is not in the calendar; allowed: YYYY-MM-DD") from None


def print_found(
    kind: ReportKind, fields: Mapping[str, Any], section: Section, output: DocumentOutput
) -> None:
    """Print what a command found: a report of this kind, or a section as Markdown or text."""
    if output is DocumentOutput.JSON:
        print_report(kind, fields)
    else:
        print_section(section, output)


def warn_of_main_branch(*, is_missing: bool) -> None:
    """Warn where git knows no main branch, so that nothing is protected."""
    if not is_missing:
        return
    from gpuplane.versions.main_branch import CANDIDATES

    typer.echo(
        f"warning: git has none of {', '.join(CANDIDATES)} here, so it is not known which versions "
        "are released; fetch the main branch "
        "(git fetch origin main:refs/remotes/origin/main), or name it with --main-branch",
        err=True,
    )


def warn_of_faults(faults: "Iterable[Fault]") -> None:
    for fault in faults:
        print_styled(f"warning: {fault}", err=True)


def warn_of_older(repository: "PlatformRepository", platforms: "Iterable[Platform]") -> None:
    """Warn where `dist/` is older than these clusters' files."""
    from gpuplane.release.edited_tree import older_lines
    from gpuplane.versions.main_branch import RepositoryRequest

    mirror = Path(os.environ.get(MIRROR_VARIABLE) or repository.directory / FETCHED)
    request = RepositoryRequest(repository.clusters, repository.dist, mirror=mirror)
    for line in older_lines(tuple(platforms), request):
        print_styled(f"warning: {line}", err=True)


def count_placeholders(faults: "Iterable[Fault]", others: int = 0) -> None:
    """Count the placeholders among what was warned of, and others."""
    from charts_py.cluster_file.fault import counted
    from charts_py.platform.placeholder import is_placeholder

    if left := others + sum(map(is_placeholder, faults)):
        named = f"still to be set, and named above: {counted(left, 'placeholder')}"
        typer.echo(named, err=True)


def confirm(subject: str, question: str) -> None:
    """Ask at a terminal, and exit where the answer is no, or nobody can answer."""
    if not _is_terminal():
        typer.echo(f"{subject}: nothing is removed; to remove it, add --yes", err=True)
        raise typer.Exit(ExitCode.WRONG_INPUT)
    if not typer.confirm(question, err=True):
        typer.echo(f"{subject}: nothing is removed", err=True)
        raise typer.Exit(ExitCode.FINDINGS)


def _is_terminal() -> bool:
    return sys.stdin.isatty()
