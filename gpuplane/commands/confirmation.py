"""Asking before something is deleted."""

import sys
from typing import Annotated

import typer

from gpuplane.exit_code import ExitCode

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Remove it without asking.")]


def confirm(subject: str, question: str) -> None:
    """Ask on a terminal; exit where the answer is no, and elsewhere, where nobody is asked."""
    if not is_terminal():
        typer.echo(f"{subject}: nothing is removed; to remove it, add --yes", err=True)
        raise typer.Exit(ExitCode.WRONG_INPUT)
    if not typer.confirm(question, err=True):
        typer.echo(f"{subject}: nothing is removed", err=True)
        raise typer.Exit(ExitCode.FINDINGS)


def is_terminal() -> bool:
    """Return whether somebody is there to be asked."""
    return sys.stdin.isatty()
