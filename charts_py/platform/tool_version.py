"""Which gpuplane renders."""

from importlib.metadata import version


def tool_version() -> str:
    """Return the version of gpuplane that is installed."""
    return version("gpuplane")
