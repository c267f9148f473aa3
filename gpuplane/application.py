"""The application: its global option and its commands."""

from pathlib import Path
from typing import Annotated

import typer

from gpuplane.commands import (
    admit,
    diff,
    docs,
    hardware,
    init,
    rules,
    schema,
    serve,
    synth,
    upstream,
    validate,
    version,
)
from gpuplane.exit_code import ExitCode
from gpuplane.platform_repository import PlatformRepository
from gpuplane.reporting_group import ReportingGroup

EXIT_CODES = "Exit codes:\n\n" + "\n".join(f"- `{code.value}`: {code.words}" for code in ExitCode)

Directory = Annotated[
    Path,
    typer.Option(
        "--directory", "-C", help="Folder of the platform repository, with clusters/ and dist/."
    ),
]


def create_application() -> typer.Typer:
    """Return the application with all commands."""
    application = typer.Typer(
        name="gpuplane",
        cls=ReportingGroup,
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        epilog=EXIT_CODES,
    )
    application.callback()(_in_directory)
    for command in (synth, validate, diff, admit, rules, serve, init, hardware, schema, version):
        name = command.__name__.rpartition(".")[2]
        application.command(name)(getattr(command, name))
    application.add_typer(upstream.create_group(), name="upstream")
    application.command("docs", hidden=True)(docs.create_docs(application))
    return application


def _in_directory(context: typer.Context, directory: Directory = Path()) -> None:
    """Render GPU platforms on Kubernetes from one short file per cluster."""
    context.obj = PlatformRepository(directory)
