"""The version of gpuplane that is installed."""

from functools import cache
from importlib.metadata import version


@cache
def tool_version() -> str:
    return version("gpuplane")
