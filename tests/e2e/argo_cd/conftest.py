"""The cluster that the tests of a module share, which its own Argo CD keeps.

Which one it is, the module says by a fixture `platform`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.argo_cd.cluster import SyncedCluster, synced_cluster


@pytest.fixture(scope="module")
def cluster(
    platform: Platform,
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SyncedCluster]:
    """The example cluster, its live version synced."""
    folder = tmp_path_factory.mktemp(platform.name)
    with synced_cluster(platform, control_plane_binaries, folder, component_logs) as synced:
        yield synced


@pytest.fixture
def live(platform: Platform) -> str:
    """Its live version."""
    return platform.live
