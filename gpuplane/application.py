"""The application: its global options, and its commands, each imported when it is asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from gpuplane.errors import ExitCode, environment, error_message, how_to_install, wrong_input
from gpuplane.help_page import Command, Group, overview
from gpuplane.near_words import unknown_command
from gpuplane.terminal import harmless

GROUPS = {
    "Start": ("init", "new cluster", "import", "migrate"),
    "Render": ("synth", "validate", "schema", "hardware", "upstream"),
    "Review": ("plan", "diff", "report"),
    "Release": ("bump", "release", "promote", "prune", "remove"),
    "Workloads": ("new", "expand", "lint", "admit", "rules", "playground"),
    "Insight": ("queues", "priorities", "cost", "recommend", "images"),
    "Serve": ("serve", "cull", "repair", "mcp"),
    "Help": ("help", "docs", "version"),
}
"""Names of the commands, in the order of their use."""

_MODULES = dict.fromkeys(("cull", "repair"), "round")
"""Modules of commands that have none of their own."""
_LONGER = ("new llm", "new service", "new route", "bump models")
"""Commands that the help of their first word names."""
COMMANDS = (*(name for group in GROUPS.values() for name in group), *_LONGER)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gpuplane {installed_version()}")
        raise typer.Exit


Directory = Annotated[
    Path,
    typer.Option(
        "--directory",
        "-C",
        metavar="DIR",
        show_default=False,
        help="Platform repository, or a folder in it.",
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
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
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

    A cluster is named by its name or its file, such as `clusters/training.yaml`. Where one is
    needed and the repository has no other, it need not be named. `--from` is what is read, `--file`
    and `--to` are the file and the folder that are written, and `-o` is a format. `--check` writes
    nothing, and exits with 1 where something would change or be refused; `--dry-run` writes
    nothing, and shows what would change.
    """
    context.obj = directory


def installed_version() -> str:
    """Return the version of gpuplane, which the webhook's image has, too."""
    from importlib.metadata import version

    return version("gpuplane")


class CommandGroup(Group):
    """All commands; an error that a user can fix becomes a message on stderr and an exit code."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": _CommandImports()})

    def list_commands(self, ctx: Any) -> list[str]:
        # A shell completes one word.
        return [name for name in self.commands if not (ctx.resilient_parsing and " " in name)]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(overview(self, ctx, GROUPS))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if (longer := " ".join(args[:2])) in COMMANDS:
            return longer, self.commands[longer], args[2:]
        if args[0] not in COMMANDS:
            ctx.fail(unknown_command(args[0], COMMANDS))
        return super().resolve_command(ctx, args)

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
    function = "import_" if name == "import" else name.replace(" ", "_")
    module = import_module(f"gpuplane.commands.{_MODULES.get(name, function)}")
    if name == "upstream":
        return typer.main.get_command(module.create_group())
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    kind = getattr(module, "COMMAND", Command)
    single.command(name, cls=kind)(getattr(module, function))
    return typer.main.get_command(single)


def _reported(error: object, code: ExitCode) -> typer.Exit:
    typer.echo(harmless(error_message(error)), err=True)
    return typer.Exit(code)
