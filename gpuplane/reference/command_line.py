"""The page of the reference about commands, from their own help."""

from collections.abc import Iterator
from typing import Any

import typer


def command_line_reference(application: typer.Typer) -> str:
    """Return the help of all commands but hidden ones as Markdown."""
    command = typer.main.get_command(application)
    lines = ["# The command line", "", *_page(command, "gpuplane", depth=1)]
    return "\n".join(lines).rstrip() + "\n"


def _page(
    command: Any, name: str, *, depth: int, parent: typer.Context | None = None
) -> Iterator[str]:
    context = typer.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield command.help
    yield ""
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield from ("```console", usage, "```", "")
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    if rows := [f"- `{name}`: {text}" for name, text in filter(None, records)]:
        yield from (*rows, "")
    if command.epilog and depth == 1:  # the exit codes, which are those of every command
        yield from (command.epilog, "")
    for inner in getattr(command, "commands", {}).values():
        if not inner.hidden:
            title = f"{name} {inner.name}"
            yield from (f"{'#' * (depth + 1)} {title}", "")
            yield from _page(inner, title, depth=depth + 1, parent=context)
