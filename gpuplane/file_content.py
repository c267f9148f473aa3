"""Reading files that somebody else may have written, without waiting and up to a size."""

import os
import stat
from pathlib import Path

_READABLE = "allowed: regular files, folders, and - for stdin"
MAX_FILE_BYTES = 8 * 2**20
"""Size of a file whose objects are judged. One of 4 MiB that holds small pods alone takes 700 MB of
memory; the CustomResourceDefinitions of large projects have up to 5 MiB together."""


def file_content(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read a file.

    Raises OSError for what cannot be read, for what is larger than `max_bytes`, and for what may
    never end: a device, a socket, a pipe with a name, or a file of the kernel that waits. A shell's
    pipe, as in `<(helm template .)`, has no name, and ends with its program.
    """
    status = path.stat()
    is_anonymous = stat.S_ISFIFO(status.st_mode) and not os.path.lexists(os.path.realpath(path))
    if not stat.S_ISREG(status.st_mode) and not is_anonymous:
        raise _irregular(path)
    check_size(str(path), status.st_size, max_bytes)
    opener = None if is_anonymous else _without_waiting
    # A file of the kernel states no size.
    with open(path, "rb", opener=opener) as file:
        content: bytes | None = file.read(max_bytes + 1)
    if content is None:
        raise _irregular(path)
    check_size(str(path), len(content), max_bytes)
    return content


def check_size(shown_as: str, size: int, max_bytes: int) -> None:
    """Raise OSError where a file is larger than is read."""
    if size > max_bytes:
        raise OSError(f"{shown_as}: is larger than {max_bytes // 2**20} MiB; split it")


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _irregular(path: Path) -> OSError:
    return OSError(f"{path}: is not a regular file; {_READABLE}")
