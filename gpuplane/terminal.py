"""Writing to people and to programs."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from gpuplane.runner_commands import without_orders
from policies.document import printable

_RUNNERS = ("GITHUB_ACTIONS", "TF_BUILD")
"""Variables that CI runners set which take orders from what is printed."""


def print_document(text: str) -> None:
    """Print what programs read on stdout, in UTF-8 whatever the encoding of the terminal is."""
    # The name of a file may hold a byte that is no UTF-8: `\udcff`, which JSON has, too.
    typer.echo(text.encode(errors="backslashreplace"), nl=False)


def print_text(text: str) -> None:
    """Print what people read on stdout, likewise; nothing in it orders a CI runner anything."""
    print_document(without_orders(text))


def print_patch(text: str) -> None:
    """Print a patch on stdout as it is; `harmless` on a terminal, and in the log of a CI runner."""
    is_logged = any(map(os.environ.get, _RUNNERS)) and not _goes_to_file()
    print_document(harmless(text) if is_terminal() or is_logged else text)


def _goes_to_file() -> bool:
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except OSError:  # it is none of the system's
        return False


def print_styled(line: str, style: str | None = None, *, err: bool = False) -> None:
    """Print a line as it is, in a colour where it goes to a terminal, or FORCE_COLOR is set.

    It is `harmless`.
    """
    from rich.console import Console

    console = Console(stderr=err, highlight=False, emoji=False, markup=False)
    console.print(harmless(line), style=style, soft_wrap=True)


def harmless(text: str) -> str:
    r"""Return lines that order neither a terminal nor a CI runner anything.

    What does not show as itself, such as U+001B, is shown as `\x1b`; tabs stay.
    """
    shown = ("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))
    return without_orders("\n".join(shown))


def is_terminal() -> bool:
    """Return whether stdout is a terminal, whatever FORCE_COLOR says."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colours() -> bool:
    """Return whether stdout shows colours: it is a terminal, or FORCE_COLOR is set."""
    # Rich is slow to import, and knows nothing better of a pipe.
    if "FORCE_COLOR" not in os.environ and not is_terminal():
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
