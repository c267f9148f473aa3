"""The page of the reference about commands, from their own help."""

from collections.abc import Iterator
from typing import Any

import typer

from gpuplane.parameter_rows import parameter_rows


def command_line_reference(application: typer.Typer, exit_codes: str) -> str:
    """Return the help of all commands but hidden ones as Markdown."""
    command = typer.main.get_command(application)
    lines = ["# The command line", "", *_page(command, "gpuplane", exit_codes)]
    return "\n".join(lines).rstrip() + "\n"


def _page(
    command: Any, name: str, after: str = "", *, depth: int = 1, parent: typer.Context | None = None
) -> Iterator[str]:
    context = typer.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield command.help
    yield ""
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield from ("```console", usage, "```", "")
    if rows := [f"- `{name.strip()}`: {text}" for name, text in parameter_rows(command)]:
        yield from (*rows, "")
    if after:
        yield from (after, "")
    for inner in getattr(command, "commands", {}).values():
        if not inner.hidden:
            title = f"{name} {inner.name}"
            yield from (f"{'#' * (depth + 1)} {title}", "")
            yield from _page(inner, title, depth=depth + 1, parent=context)
