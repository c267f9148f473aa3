"""The cluster of this folder: its platform, and what it renders."""

from __future__ import annotations

from pathlib import Path

from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from gpuplane.versions.rendering import render_platform

_FILE = Path(__file__).parent / "jobs.yaml"


def load_jobs_cluster() -> Platform:
    """Return the platform, which shares nothing with a fleet."""
    return load_platform(_FILE, None)


def write_jobs_release(platform: Platform, folder: Path) -> None:
    """Render it into a folder that holds what one of `dist/<cluster>/<version>` does."""
    for path, content in render_platform(platform, str(_FILE)).files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
