"""The cluster of `claims.yaml`: its platform, and the objects that the platform renders for it."""

from __future__ import annotations

from pathlib import Path

from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from charts_py.release.rendered_cluster import render_platform
from charts_py.spec.cluster_files import FLEET_FILE
from tests.e2e.folders import CLUSTERS

_FILE = Path(__file__).with_name("claims.yaml")


def load_claim_cluster() -> Platform:
    """Return the platform of the cluster, over what the example fleet shares."""
    return load_platform(_FILE, CLUSTERS / FLEET_FILE)


def write_release(platform: Platform, folder: Path) -> None:
    """Render a platform into a folder that holds what one of `dist/<cluster>/<version>` does."""
    for path, content in render_platform(platform, str(_FILE)).files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
