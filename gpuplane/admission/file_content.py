"""Reading a file that somebody names."""

import os
import stat
from pathlib import Path

_ALLOWED = "allowed: regular files, folders, and - for stdin"


def file_content(path: Path) -> bytes:
    """Return what a file holds.

    Raises OSError for what cannot be read, and for what may never end: a device, a socket or a pipe
    with a name. A shell's pipe, as in `<(helm template .)`, has none, and ends with its program.
    """
    mode = path.stat().st_mode
    is_anonymous = stat.S_ISFIFO(mode) and not os.path.lexists(os.path.realpath(path))
    if not stat.S_ISREG(mode) and not is_anonymous:
        raise OSError(f"{path}: is not a regular file; {_ALLOWED}")
    return path.read_bytes()
