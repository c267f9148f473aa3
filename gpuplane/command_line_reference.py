"""The reference of the command line, from its own help."""

import typer
from typer.cli import get_docs_for_click


def command_line_reference(application: typer.Typer) -> str:
    """Return the reference as Markdown."""
    command = typer.main.get_command(application)
    context = typer.Context(command)
    page = get_docs_for_click(obj=command, ctx=context, name="gpuplane", title="The command line")
    return f"{page.strip()}\n"
