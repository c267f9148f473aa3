"""The application: its global option and its commands."""

from pathlib import Path
from typing import Annotated

import typer

from gpuplane.commands import (
    admit,
    cost,
    cull,
    diff,
    docs,
    expand,
    hardware,
    images,
    import_,
    init,
    lint,
    mcp,
    migrate,
    new,
    plan,
    playground,
    priorities,
    promote,
    prune,
    queues,
    recommend,
    release,
    remove,
    report,
    rules,
    schema,
    serve,
    synth,
    upstream,
    validate,
    version,
)
from gpuplane.exit_code import ExitCode
from gpuplane.reporting_group import ReportingGroup

EXIT_CODES = "Exit codes:\n\n" + "\n".join(f"- `{code.value}`: {code.words}" for code in ExitCode)

Directory = Annotated[
    Path,
    typer.Option(
        "--directory",
        "-C",
        help="Folder of the platform repository, with clusters/ and dist/, or a folder in it.",
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
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    application.callback()(_global_options)
    for command in (
        *(synth, validate, lint, diff, plan, release, promote, prune, remove, report),
        *(images, cost, recommend, priorities, queues, new, expand, admit, rules, playground, mcp),
        *(serve, cull, init, import_, migrate, hardware, schema, version),
    ):
        function = command.__name__.rpartition(".")[2]
        name = function.rstrip("_")
        application.command(name, epilog=EXIT_CODES)(getattr(command, function))
    application.add_typer(upstream.create_group(EXIT_CODES), name="upstream")
    application.command("docs", hidden=True)(docs.create_docs(application))
    return application


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gpuplane {version.installed_version()}")
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
