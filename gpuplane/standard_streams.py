"""Standard streams as a terminal, a pipe or nothing at all provides them."""

import io
import sys


def tolerate_any_encoding() -> None:
    """Let letters that the encoding of a terminal lacks be printed as `?`, rather than fail.

    What programs read is UTF-8 in any case: see `terminal.print_document`.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def read_stdin() -> bytes:
    """Return all of stdin; nothing where it is closed."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read()
