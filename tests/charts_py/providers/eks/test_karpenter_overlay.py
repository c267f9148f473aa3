"""What Karpenter is told of nodes with shared GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from charts_py.providers.eks.karpenter_overlay import node_overlay

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

OVERLAY = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata:
  name: pool
  labels: {app.kubernetes.io/managed-by: gpuplane}
spec:
  requirements:
  - {key: gpuplane.io/pool, operator: In, values: [pool]}
  capacity:
    nvidia.com/gpu: "0"
    nvidia.com/mig-1g.10gb: "16"
    nvidia.com/mig-2g.20gb: "8"
    nvidia.com/mig-3g.40gb: "8"
"""

MIG = "sharing: {mig: {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}}"


def test_mig_instances_stand_in_for_the_whole_gpus(
    platform_with: PlatformWith,
) -> None:
    pool = f"{{instanceType: p4de.24xlarge, purpose: batch, nodes: {{max: 1}}, {MIG}}}"
    (found,) = platform_with("eks", pool).pools
    assert node_overlay(found) == yaml.safe_load(OVERLAY)


@pytest.mark.parametrize(
    ("sharing", "capacity"),
    [
        ("{timeSlicing: 4}", {"nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "16"}),
        ("{mps: 2}", {"nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "8"}),
    ],
)
def test_shared_gpus_stand_in_for_the_whole_ones(
    platform_with: PlatformWith, sharing: str, capacity: dict[str, str]
) -> None:
    pool = f"{{instanceType: g5.12xlarge, purpose: batch, nodes: {{max: 1}}, sharing: {sharing}}}"
    (found,) = platform_with("eks", pool).pools
    assert node_overlay(found)["spec"]["capacity"] == capacity
