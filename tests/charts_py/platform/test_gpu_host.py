"""What the GPU operator finds on a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.platform.gpu_host import GpuHost

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

OWNED_BY_THE_OPERATOR = """
provider: eks
region: us-east-1
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
eks: {clusterName: training, nodeRole: nodes, imageRelease: "20260709"}
driver: {owner: operator}
pools:
  a10g: {instanceType: g5.12xlarge, purpose: notebooks, nodes: {max: 2}}
"""


@pytest.mark.parametrize(
    ("cluster", "host"),
    [
        ("training", GpuHost(toolkit={"enabled": False})),
        (
            "inference",
            GpuHost(
                toolkit={
                    "enabled": True,
                    "installDir": "/home/kubernetes/bin/nvidia",
                    "env": [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}],
                },
                driver_folder="/home/kubernetes/bin/nvidia",
            ),
        ),
        (
            "mixed",
            GpuHost(toolkit={"enabled": False}, runtime_class="nvidia-container-runtime"),
        ),
        ("onprem", GpuHost(toolkit={"enabled": True}, runtime_class="nvidia")),
    ],
)
def test_toolkit_runtime_and_folders_are_those_of_the_providers_nodes(
    cluster: str, host: GpuHost, example: Callable[[str], Platform]
) -> None:
    platform = example(cluster)
    assert platform.provider.host(platform.driver_owner) == host


def test_the_owner_of_the_driver_brings_the_toolkit(
    platform_of: Callable[[str], Platform],
) -> None:
    platform = platform_of(OWNED_BY_THE_OPERATOR)
    assert platform.provider.host(platform.driver_owner) == GpuHost(toolkit={"enabled": True})
