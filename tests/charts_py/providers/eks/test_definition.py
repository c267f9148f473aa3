"""What all else must know of Amazon's EKS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpus.taint import Taint

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
SPOT_TAINT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")


@pytest.mark.parametrize(
    ("purchase", "taints", "own"),
    [
        ("on-demand", (GPU_TAINT,), (GPU_TAINT,)),
        ("spot", (GPU_TAINT, SPOT_TAINT), (GPU_TAINT, SPOT_TAINT)),
    ],
)
def test_eks_sets_no_taint_by_itself(
    platform_with: PlatformWith, purchase: str, taints: tuple[Taint, ...], own: tuple[Taint, ...]
) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: batch, nodes: {{max: 1}}, purchase: {purchase}}}"
    (found,) = platform_with("eks", pool).pools
    assert (found.facts.taints, found.own_taints) == (taints, own)
