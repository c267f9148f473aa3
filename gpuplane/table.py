"""Tables for people."""

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from gpuplane.terminal import harmless, is_terminal

WIDTH_OF_FILES = 160
"""Width of a table that goes to a file or a pipe, which have no width of their own."""

_UNBOUNDED = 10_000
"""Columns of a terminal that cuts nothing."""


def new_table(*headers: str) -> Table:
    """Return a table that truncates nothing, however narrow the terminal is."""
    table = Table()
    for header in headers:
        table.add_column(header, overflow="fold")
    return table


def add_row(table: Table, *cells: str) -> None:
    """Add a row of cells, which are `harmless`."""
    table.add_row(*map(harmless, cells))


def print_table(table: Table) -> None:
    """Print a table on stdout; a line for each cell where its words are too wide for the terminal.

    The lines of a row begin with their header, and an empty line ends them.
    """
    # Not the console's own word: FORCE_COLOR makes it call a pipe a terminal.
    width = None if is_terminal() else WIDTH_OF_FILES
    console = Console(highlight=False, emoji=False, markup=False, width=width)
    if _narrowest(table, console) <= console.width:
        console.print(table)
        return
    for row in zip(*(column.cells for column in table.columns), strict=True):
        for column, cell in zip(table.columns, row, strict=True):
            if cell:
                console.print(f"{column.header}: {cell}", soft_wrap=True)
        console.print()


def _narrowest(table: Table, console: Console) -> int:
    """Return the columns that a table needs so that no word is broken."""
    unbounded = console.options.update(width=_UNBOUNDED)
    return Measurement.get(console, unbounded, table).minimum
