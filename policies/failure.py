"""Where our own code failed, without a word of the pod that it failed on."""

from __future__ import annotations

import sys
from traceback import walk_tb
from typing import NamedTuple

MAX_FRAMES = 8


class Failure(NamedTuple):
    """An exception without its message, which may hold values of the pod, such as secrets."""

    error: str
    """Name of its type."""
    frames: tuple[str, ...]
    """The innermost `MAX_FRAMES`, innermost last: `policies/rules/host_ipc.py:31 in evaluate`. None
    where what failed is not ours."""


def failure_of(error: BaseException) -> Failure:
    """Return where the exception was raised."""
    frames = tuple(
        f"{_importable(frame.f_code.co_filename)}:{line} in {frame.f_code.co_name}"
        for frame, line in walk_tb(error.__traceback__)
    )
    return Failure(type(error).__name__, frames[-MAX_FRAMES:])


def _importable(file: str) -> str:
    """Return the file below the folder from which it is imported, as compiled code names it."""
    folders = (f"{folder}/" for folder in sys.path if folder and file.startswith(f"{folder}/"))
    return file.removeprefix(max(folders, key=len, default=""))
