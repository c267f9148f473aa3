"""Where the acknowledgements of a repository stand."""

import os
from pathlib import Path

FOLDER, FILE = ".gpuplane", "acknowledged.yaml"
_SIGNS = (FOLDER, ".git")
"""What the folder has that the paths of rows begin in."""


def acknowledgement_file(start: Path) -> Path:
    """Return the path of the file of acknowledgements, which need not be there.

    It is in the nearest folder above with a `.gpuplane` or a `.git`, or else where one starts, and
    relative to that where it is below.
    """
    above = (start, *start.parents)
    root = next((f for f in above if any((f / sign).exists() for sign in _SIGNS)), start)
    file = root / FOLDER / FILE
    return file.relative_to(start) if file.is_relative_to(start) else file


def path_in_rows(shown_as: str, file: Path) -> str:
    """Return what rows call a file of manifests; stdin stays as it is."""
    if not Path(shown_as).exists():
        return shown_as
    root = os.path.realpath(file.parents[1])
    return Path(os.path.relpath(os.path.realpath(shown_as), root)).as_posix()
