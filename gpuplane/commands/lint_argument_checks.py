"""Which options of `gpuplane lint` go together, and with which files."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from policies.today import today

if TYPE_CHECKING:
    from gpuplane.lint.acknowledgements import Statement


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
