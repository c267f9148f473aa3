"""The application: its global options, and its commands, each imported when it is asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from gpuplane.errors import (
    EXIT_CODES,
    ExitCode,
    environment,
    error_message,
    how_to_install,
    wrong_input,
)
from gpuplane.terminal import harmless

COMMANDS = (
    *("synth", "validate", "lint", "diff", "plan"),
    *("release", "promote", "prune", "remove"),
    *("report", "images", "cost", "recommend", "priorities", "queues"),
    *("new", "expand", "admit", "rules", "playground", "mcp"),
    *("serve", "cull"),
    *("init", "import", "migrate"),
    *("hardware", "schema", "docs", "version", "upstream"),
)
"""Names of the commands, in the order of their use."""


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gpuplane {installed_version()}")
        raise typer.Exit


Directory = Annotated[
    Path,
    typer.Option(
        "--directory",
        "-C",
        help="Folder of the platform repository, with clusters/ and dist/, or a folder in it.",
    ),
]


ShowVersion = Annotated[
    bool,
    typer.Option(
        "--version", "-V", help="Print the version and exit.", is_eager=True, callback=_show_version
    ),
]


def create_application() -> typer.Typer:
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


def _global_options(
    context: typer.Context, *, directory: Directory = Path(), _version: ShowVersion = False
) -> None:
    """Render GPU platforms on Kubernetes from one short file per cluster.

    Results go to stdout, everything else to stderr. A report (`-o json`) is one JSON object with
    `apiVersion: gpuplane.io/v1alpha1` and a `kind`; where that is a list, its rows are in `items`.
    There are colours on terminals, unless `NO_COLOR` is set, and elsewhere if `FORCE_COLOR` is.
    """
    context.obj = directory


def installed_version() -> str:
    """Return the version of gpuplane, which the webhook's image has, too."""
    from importlib.metadata import version

    return version("gpuplane")


class CommandGroup(TyperGroup):
    """All commands; an error that a user can fix becomes a message on stderr and an exit code."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": _CommandImports()})

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 # as Typer calls it
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except ModuleNotFoundError as error:
            if (line := how_to_install(ctx.invoked_subcommand, error)) is None:
                raise
            raise _reported(line, ExitCode.ENVIRONMENT) from error
        except environment() as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error
        except wrong_input() as error:
            raise _reported(error, ExitCode.WRONG_INPUT) from error
        except OSError as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error


class _CommandImports(Mapping[str, Any]):
    """The commands by their names; importing all of them takes a third of a start."""

    def __init__(self) -> None:
        self._imported: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        if name not in self._imported:
            self._imported[name] = _import_command(name)
        return self._imported[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _import_command(name: str) -> Any:
    function = "import_" if name == "import" else name
    module = import_module(f"gpuplane.commands.{function}")
    if name == "upstream":
        return typer.main.get_command(module.create_group(EXIT_CODES))
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    single.command(name, epilog=EXIT_CODES)(getattr(module, function))
    return typer.main.get_command(single)


def _reported(error: object, code: ExitCode) -> typer.Exit:
    typer.echo(harmless(error_message(error)), err=True)
    return typer.Exit(code)
