"""The clusters that an Argo CD of their own keeps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.argo_cd.cluster import SyncedCluster, synced_cluster
from tests.e2e.argo_cd.platform_repository import new_platform_repository, serve
from tests.e2e.first_day.first_day import build
from tests.e2e.first_day.readme import play_readme
from tests.e2e.releases import crds


@pytest.fixture(scope="package")
def cluster(
    request: pytest.FixtureRequest,
    platforms: dict[str, Platform],
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SyncedCluster]:
    """The example cluster that the module is parametrized with, its live version synced.

    Modules with the same one share it, one after the other.
    """
    platform = platforms[request.param]
    folder = tmp_path_factory.mktemp(platform.name)
    charts = crds.pinned_files().directory / "charts"
    repository = new_platform_repository(folder / "repository", charts, {})
    binaries, logs = control_plane_binaries, component_logs
    with synced_cluster(platform, repository, binaries, folder, logs) as synced:
        yield synced


@pytest.fixture(scope="module")
def generated(
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SyncedCluster]:
    """The cluster of the repository that README.md has `gpuplane init` write, from the wheel."""
    charts = crds.pinned_files().directory / "charts"
    folder = tmp_path_factory.mktemp("generated")
    edited, gpuplane = play_readme(build("wheel", tmp_path_factory.mktemp("wheel")), folder)
    repository = serve(edited, edited, charts, {}, gpuplane)
    (platform,) = load_platforms(find_cluster_files(repository.edited / "clusters"))
    binaries, logs = control_plane_binaries, component_logs
    with synced_cluster(platform, repository, binaries, folder, logs) as synced:
        yield synced


@pytest.fixture
def platform(cluster: SyncedCluster, platforms: dict[str, Platform]) -> Platform:
    return platforms[cluster.name]


@pytest.fixture
def live(platform: Platform) -> str:
    return platform.live
