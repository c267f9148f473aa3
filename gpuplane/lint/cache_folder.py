"""Where the linter keeps what it found."""

from collections.abc import Mapping
from pathlib import Path

VARIABLE = "GPUPLANE_CACHE"
"""Names the folder in place of the user's own."""


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder; None where there is no home to have one.

    https://specifications.freedesktop.org/basedir-spec/latest/
    """
    if named := environment.get(VARIABLE):
        return Path(named) / "lint"
    if caches := environment.get("XDG_CACHE_HOME"):
        return Path(caches) / "gpuplane" / "lint"
    home = environment.get("HOME")
    return Path(home) / ".cache" / "gpuplane" / "lint" if home else None
