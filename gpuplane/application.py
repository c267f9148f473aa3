"""The application: its global option and its commands."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gpuplane.command_imports import CommandImports
from gpuplane.exit_code import EXIT_CODES
from gpuplane.installed_version import installed_version
from gpuplane.reporting_group import ReportingGroup

Directory = Annotated[
    Path,
    typer.Option(
        "--directory",
        "-C",
        help="Folder of the platform repository, with clusters/ and dist/, or a folder in it.",
    ),
]


class CommandGroup(ReportingGroup):
    """All commands, of which only those that are asked for are imported."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": CommandImports()})

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 # as Typer calls it
        """Return their names."""
        return list(self.commands)


def create_application() -> typer.Typer:
    """Return the application with all commands."""
    application = typer.Typer(
        name="gpuplane",
        cls=CommandGroup,
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        epilog=EXIT_CODES,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    application.callback()(_global_options)
    return application


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gpuplane {installed_version()}")
        raise typer.Exit


ShowVersion = Annotated[
    bool,
    typer.Option(
        "--version", "-V", help="Print the version and exit.", is_eager=True, callback=_show_version
    ),
]


def _global_options(
    context: typer.Context, *, directory: Directory = Path(), _version: ShowVersion = False
) -> None:
    """Render GPU platforms on Kubernetes from one short file per cluster.

    Results go to stdout, everything else to stderr. A report (`-o json`) is one JSON object with
    `apiVersion: gpuplane.io/v1alpha1` and a `kind`; where that is a list, its rows are in `items`.
    There are colours on terminals, unless `NO_COLOR` is set, and elsewhere if `FORCE_COLOR` is.
    """
    context.obj = directory
