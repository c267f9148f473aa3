"""What Karpenter is told of nodes with shared GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]
    ObjectsOf = Callable[[Platform], Mapping[str, Document]]

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
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    pool = f"{{instanceType: p4de.24xlarge, purpose: batch, nodes: {{max: 1}}, {MIG}}}"
    objects = objects_of(platform_with("eks", pool))
    assert objects["NodeOverlay pool"] == yaml.safe_load(OVERLAY)


@pytest.mark.parametrize(
    ("sharing", "capacity"),
    [
        ("{timeSlicing: 4}", {"nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "16"}),
        ("{mps: 2}", {"nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "8"}),
    ],
)
def test_shared_gpus_stand_in_for_the_whole_ones(
    platform_with: PlatformWith, objects_of: ObjectsOf, sharing: str, capacity: dict[str, str]
) -> None:
    pool = f"{{instanceType: g5.12xlarge, purpose: batch, nodes: {{max: 1}}, sharing: {sharing}}}"
    objects = objects_of(platform_with("eks", pool))
    assert objects["NodeOverlay pool"]["spec"]["capacity"] == capacity


def test_whole_gpus_need_no_overlay(platform_with: PlatformWith, objects_of: ObjectsOf) -> None:
    pool = "{instanceType: g5.12xlarge, purpose: batch, nodes: {max: 1}}"
    assert "NodeOverlay pool" not in objects_of(platform_with("eks", pool))
