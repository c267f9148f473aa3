"""Folders that commands write aside, and those that killed commands left behind."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

STAGED_FILES = ".gpuplane-"
"""Prefix of what holds files that are about to replace those beside it."""
STAGED_VERSIONS = ".synth-"
"""Prefix of what holds parts of `dist`."""
MOVED = "old"
"""In what is written aside, the folder of what stood in its place, until all is done."""


@contextmanager
def aside_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Make a folder in another, and remove what killed commands left there.

    It is locked for as long as the context lasts, which a process that is killed does not outlive.
    The folder stays. Raises OSError where it cannot be made.
    """
    with ExitStack() as stack:
        with _locked(parent):
            remove_abandoned(parent)
            folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            stack.enter_context(_locked(folder))
        yield folder


def abandoned(parent: Path) -> tuple[Path, ...]:
    """Return the folders of killed commands in another, sorted.

    One that still holds what was moved is not among them: somebody must put that back.
    """
    prefixes = (STAGED_FILES, STAGED_VERSIONS)
    found = (each for prefix in prefixes for each in parent.glob(f"{prefix}*") if each.is_dir())
    return tuple(sorted(each for each in found if not _holds_moved(each) and _is_free(each)))


def remove_abandoned(parent: Path) -> None:
    for each in abandoned(parent):
        shutil.rmtree(each, ignore_errors=True)


def _holds_moved(folder: Path) -> bool:
    return any(each.is_file() for each in (folder / MOVED).rglob("*"))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    opened = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # of a file system without locks, where nothing is free either
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _is_free(folder: Path) -> bool:
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(opened)
