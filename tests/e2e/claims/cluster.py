"""The clusters of this folder's files: their platforms, and what a platform renders for them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.policies import Admission
from charts_py.cluster_file.queues import Queues
from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from gpuplane.versions.rendering import render_platform
from tests.e2e.folders import CLUSTERS

RenderRelease = Callable[[str, Admission], Path]
"""Renders an example cluster in which others fix and judge pods, into a folder of its own."""
_FOLDER = Path(__file__).parent


def load_claim_cluster(name: str = "claims") -> Platform:
    """Return the platform of a cluster, over what the example fleet shares."""
    return load_platform(_FOLDER / f"{name}.yaml", CLUSTERS / FLEET_FILE)


def admitting(platform: Platform, admission: Admission) -> Platform:
    """Return a platform in which others fix and judge pods."""
    policies = platform.cluster.policies.model_copy(update={"admission": admission})
    return replace(platform, cluster=platform.cluster.model_copy(update={"policies": policies}))


def queued(platform: Platform) -> Platform:
    """Return a platform with queues of Kueue."""
    return replace(platform, cluster=platform.cluster.model_copy(update={"queues": Queues()}))


def write_release(platform: Platform, folder: Path) -> None:
    """Render a platform into a folder that holds what one of `dist/<cluster>/<version>` does."""
    source = _FOLDER / f"{platform.name}.yaml"
    for path, content in render_platform(platform, str(source)).files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
