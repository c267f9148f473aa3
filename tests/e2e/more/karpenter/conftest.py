"""The cluster that the tests of Karpenter share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.binaries.node_provisioning import build_node_provisioning
from tests.e2e.folders import DIST
from tests.e2e.more.karpenter.cluster import ProvisionedCluster, provisioned_cluster

_CLUSTER = "training"


@pytest.fixture(scope="package")
def platform(platforms: dict[str, Platform]) -> Platform:
    """The example cluster on EKS as its file says now, which may be newer than what is live."""
    return platforms[_CLUSTER]


@pytest.fixture(scope="package")
def release(platform: Platform) -> Path:
    """The folder of that version in `dist/`."""
    return DIST / platform.name / platform.cluster.version


@pytest.fixture(scope="package")
def cluster(
    platform: Platform,
    release: Path,
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ProvisionedCluster]:
    """That cluster, with the nodes that Karpenter makes of its pools."""
    binaries = build_node_provisioning()
    folder = tmp_path_factory.mktemp("karpenter")
    with provisioned_cluster(
        platform, release, control_plane_binaries, binaries, folder, component_logs
    ) as running:
        yield running
