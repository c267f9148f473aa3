"""What one process of a run writes, and the others read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


def written_once(file: Path, own: Path, content: Callable[[], bytes]) -> bytes:
    """Return what a file holds, which is written now where no process of this run has done so.

    `own`: a folder that no other process writes to.
    """
    if not file.exists():
        half = own / file.name
        half.write_bytes(content())
        half.rename(file)
    return file.read_bytes()
