"""The checkout that a folder lies in."""

import os
from pathlib import Path

GIT = ".git"
"""A folder, or the file of a worktree or a submodule."""


def checkout_folder(folder: Path) -> Path | None:
    """Return the nearest folder with a `.git`, upwards and with all links resolved."""
    real = folder.resolve()
    # A link that leads nowhere is a checkout whose repository is out of reach.
    return next((each for each in (real, *real.parents) if os.path.lexists(each / GIT)), None)


def path_in_checkout(folder: Path) -> str | None:
    """Return the path of a folder from the root of its checkout, `.` for that; None outside."""
    checkout = checkout_folder(folder)
    return None if checkout is None else folder.resolve().relative_to(checkout).as_posix()
