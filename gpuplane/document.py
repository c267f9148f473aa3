"""Tables with notes below them, for people on a terminal or in a comment."""

from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from gpuplane.terminal import print_document

if TYPE_CHECKING:
    from charts_py.tables.section import Section
    from charts_py.tables.table import Table


class DocumentOutput(StrEnum):
    """What is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def print_section(section: "Section", output: DocumentOutput) -> None:
    """Print what a command tells, as text or as a section of Markdown."""
    if output is DocumentOutput.MARKDOWN:
        from charts_py.tables.markdown_format import to_markdown

        print_document(to_markdown(section))
        return
    for note in section.first:
        typer.echo(note)
    for table in section.tables:
        show_table(table)
    for line in (*section.blocks, *section.notes):
        typer.echo(line)


def show_table(table: "Table") -> None:
    """Print a table as text, its numbers to the right."""
    from gpuplane.table import new_table, print_table

    shown = new_table(*table.headers)
    for column in shown.columns[table.words :]:
        column.justify = "right"
    for row in table.rows:
        shown.add_row(*row)
    print_table(shown)
