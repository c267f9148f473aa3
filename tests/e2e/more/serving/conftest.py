"""The cluster that the tests of controllers for servers share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.more.serving.cluster import ServedCluster, served_cluster
from tests.e2e.more.serving.keda import front_proxy


@pytest.fixture(scope="package")
def cluster(
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServedCluster]:
    folder = tmp_path_factory.mktemp("serving")
    options = front_proxy(folder)
    with served_cluster(control_plane_binaries, folder, component_logs, *options) as running:
        yield running
