"""Which gpuplane renders."""

from functools import cache
from importlib.metadata import version


@cache
def tool_version() -> str:
    """Return the version of gpuplane that is installed."""
    return version("gpuplane")
