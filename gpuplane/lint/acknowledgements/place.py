"""Where the acknowledgements of a repository stand."""

import os
from pathlib import Path

FOLDER, FILE = ".gpuplane", "acknowledged.yaml"
_SIGNS = (FOLDER, ".git")
"""What the folder has that the paths of rows begin in."""


def acknowledgement_file(start: Path) -> Path:
    """Return the path of the file of acknowledgements from a folder; it need not be there.

    It is in the nearest folder above with a `.gpuplane` or a `.git`, or else in that folder.
    """
    above = (start, *start.parents)
    root = next((f for f in above if any((f / sign).exists() for sign in _SIGNS)), start)
    return Path(os.path.relpath(root / FOLDER / FILE, start))


def path_in_rows(shown_as: str, file: Path) -> str:
    """Return what rows call a file of manifests; stdin stays as it is."""
    if not Path(shown_as).exists():
        return shown_as
    root = os.path.realpath(file.parents[1])
    return Path(os.path.relpath(os.path.realpath(shown_as), root)).as_posix()
