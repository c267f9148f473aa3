"""Writing to people and to programs."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


def print_document(text: str) -> None:
    """Print what programs read on stdout, in UTF-8 whatever the encoding of the terminal is."""
    typer.echo(text.encode(), nl=False)


def print_styled(line: str, style: str | None = None, *, err: bool = False) -> None:
    r"""Print a line as it is, in a colour where it goes to a terminal, or FORCE_COLOR is set.

    U+001B, with which a name in a file would give the terminal orders, is shown as `\x1b`.
    """
    from rich.console import Console

    console = Console(stderr=err, highlight=False, emoji=False, markup=False)
    console.print(line.replace("\x1b", r"\x1b"), style=style, soft_wrap=True)


def has_colours() -> bool:
    """Tell whether stdout shows colours: it is a terminal, or FORCE_COLOR is set."""
    # Rich is slow to import, and knows nothing better of a pipe.
    if "FORCE_COLOR" not in os.environ and not _is_terminal():
        return False
    from rich.console import Console

    console = Console()
    return console.is_terminal and not console.no_color and console.color_system is not None


@contextmanager
def progress(doing: str, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show progress on a terminal's stderr; yield a function to call with each finished name."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda _: None
        return
    with console.status(doing) as status:
        yield lambda name: status.update(f"{doing}: {name}")


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
