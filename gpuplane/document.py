"""Tables with notes below them, for people on a terminal or in a comment."""

from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from gpuplane.terminal import harmless, print_text

if TYPE_CHECKING:
    from gpuplane.tables import Section, Table


class DocumentOutput(StrEnum):
    """What is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def print_section(section: "Section", output: DocumentOutput) -> None:
    """Print what a command shows, as text or as a section of Markdown."""
    if output is DocumentOutput.MARKDOWN:
        from gpuplane.tables import to_markdown

        print_text(to_markdown(section))
        return
    for note in section.first:
        typer.echo(harmless(note))
    for table in section.tables:
        show_table(table)
    for line in (*section.blocks, *section.notes):
        typer.echo(harmless(line))


def show_table(table: "Table") -> None:
    """Print a table as text, its numbers to the right."""
    from gpuplane.table import add_row, new_table, print_table

    shown = new_table(*table.headers)
    for column in shown.columns[table.words :]:
        column.justify = "right"
    for row in table.rows:
        add_row(shown, *row)
    print_table(shown)
