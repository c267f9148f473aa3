r"""Standard streams: writing to people and to programs, and ordering CI runners nothing.

A runner reads orders from what a command prints. Whoever names a file or an object could give them,
as with `##[stop-commands]`, which hides all annotations behind it. So text shows them by their
bytes, as `\x3a`, and JSON and XML by their escapes.

GitHub takes `::` at the start of a line, behind white space too, and `##[` anywhere
(https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs), and Azure
`##vso[` and `##[`
(https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands).
"""

import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import typer

from policies.document import printable

_ANYWHERE = re.compile(r"#(?=#(?:vso)?\[)", re.IGNORECASE)
_AT_START = re.compile(r"(?:^|(?<=\r))([^\S\r\n]*):(?=:)", re.MULTILINE)
"""A carriage return ends a line of .NET, in which runners are written."""

_RUNNERS = ("GITHUB_ACTIONS", "TF_BUILD")
"""CI runners that take orders from what is printed set one of these variables."""


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


class _Pager(io.TextIOWrapper):
    """What a pager reads, which shows it on the terminal."""

    def isatty(self) -> bool:
        return True


def _pager() -> list[str]:
    """Return the command of the user's pager; an empty one where it is not installed."""
    import shlex
    import shutil

    command = shlex.split(os.environ.get("PAGER", "less -FRX"))
    return command if command and shutil.which(command[0]) else []


@contextmanager
def paged() -> Iterator[None]:
    """Let what is printed go through $PAGER, or less, where stdout is a terminal."""
    command = _pager() if is_terminal() and os.environ.get("TERM") != "dumb" else []
    if not command:
        yield
        return
    import subprocess

    terminal = sys.stdout
    # It is the user's own command, and no shell reads it.
    with subprocess.Popen(command, stdin=subprocess.PIPE) as pager:  # noqa: S603
        assert pager.stdin is not None  # noqa: S101 # it is a pipe
        sys.stdout = _Pager(pager.stdin, encoding="utf-8", errors="replace", write_through=True)
        try:
            yield
        except (BrokenPipeError, SystemExit):  # the latter is what Rich makes of it
            pass  # whoever reads has seen enough
        finally:
            printed, sys.stdout = sys.stdout, terminal
            with suppress(BrokenPipeError):
                printed.close()


def has_colours() -> bool:
    # Rich is slow to import, and knows nothing better of a pipe.
    if "FORCE_COLOR" not in os.environ and not is_terminal():
        return False
    from rich.console import Console

    console = Console()
    return console.is_terminal and not console.no_color and console.color_system is not None


@contextmanager
def progress(doing: str, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show progress on a terminal's stderr; yield a function to call with each finished name."""
    # Rich is slow to import, and takes a pipe for a terminal where FORCE_COLOR is set.
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(doing) as status:
        yield lambda name: status.update(f"{doing}: {name}")


def tolerate_any_encoding() -> None:
    """Let letters that the encoding of a terminal lacks be printed as `?`, rather than fail.

    What programs read is UTF-8 in any case: see `print_document`.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def read_stdin(max_bytes: int) -> bytes:
    """Return stdin up to a size; nothing where it is closed."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read(max_bytes)


def without_orders(text: str) -> str:
    return _AT_START.sub(r"\g<1>\\x3a", commands_without_orders(text))


def commands_without_orders(text: str) -> str:
    """Return commands that are meant, without orders in what they print."""
    return _ANYWHERE.sub(r"\\x23", text)


def json_without_orders(text: str) -> str:
    return _ANYWHERE.sub(r"\\u0023", text)


def xml_without_orders(text: str) -> str:
    return _ANYWHERE.sub("&#35;", text)
