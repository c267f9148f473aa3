"""Writing to people and to scripts."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

WIDTH_OF_FILES = 160
"""Width of a table that goes to a file or a pipe, which have no width of their own."""


def print_json(value: Any) -> None:
    """Print a JSON value, and nothing else, on stdout."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def new_table(*headers: str) -> Table:
    """Return a table that truncates nothing, however narrow the terminal is."""
    table = Table()
    for header in headers:
        table.add_column(header, overflow="fold")
    return table


def print_table(table: Table) -> None:
    """Print a table on stdout."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH_OF_FILES)
    console.print(table)


def print_styled(line: str, style: str | None = None) -> None:
    """Print a line on stdout as it is, in a colour where stdout is a terminal."""
    Console(highlight=False).print(line, style=style, markup=False, soft_wrap=True)


def camel_case(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a report with their names in camelCase."""
    return {
        name.split("_")[0] + "".join(word.title() for word in name.split("_")[1:]): value
        for name, value in fields.items()
    }


@contextmanager
def progress(doing: str) -> Iterator[Callable[[str], None]]:
    """Show progress on a terminal's stderr; yield a function to call with each finished name."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(doing) as status:
        yield lambda name: status.update(f"{doing}: {name}")
