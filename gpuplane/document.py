"""Tables with notes below them, for people on a terminal or in a comment."""

from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from gpuplane.table import new_table, print_table
from gpuplane.terminal import print_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from charts_py.tables.table import Table


class DocumentOutput(StrEnum):
    """What is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def print_tables(
    title: str,
    tables: "Iterable[Table]",
    notes: "Iterable[str]",
    output: DocumentOutput,
    first: "Iterable[str]" = (),
) -> None:
    """Print what is to be read first, tables and notes, as text or as a section of Markdown."""
    if output is DocumentOutput.MARKDOWN:
        from charts_py.tables.markdown_format import to_markdown

        print_document(to_markdown(title, tables, notes, first))
        return
    for note in first:
        typer.echo(note)
    for table in tables:
        show_table(table)
    for note in notes:
        typer.echo(note)


def show_table(table: "Table") -> None:
    """Print a table as text, its numbers to the right."""
    shown = new_table(*table.headers)
    for column in shown.columns[table.words :]:
        column.justify = "right"
    for row in table.rows:
        shown.add_row(*row)
    print_table(shown)
