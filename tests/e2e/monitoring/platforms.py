"""The clusters of this folder's files, which have all on that is watched."""

from functools import cache
from pathlib import Path

from charts_py.load import load_platform
from charts_py.platform.platform import Platform

_FOLDER = Path(__file__).parent / "clusters"

MONITORED = tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))
"""Their names."""


@cache
def monitored_platform(name: str) -> Platform:
    """Return one by its name; each stands by itself, without a fleet."""
    return load_platform(_FOLDER / f"{name}.yaml", None)
