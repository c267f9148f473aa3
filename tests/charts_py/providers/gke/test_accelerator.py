"""What GKE calls GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.providers.gke.accelerator import accelerator_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]


@pytest.mark.parametrize(
    ("instance_type", "accelerator"),
    [("a3-highgpu-8g", "nvidia-h100-80gb"), ("a3-megagpu-8g", "nvidia-h100-mega-80gb")],
)
def test_the_machine_decides_the_name_of_an_h100(
    platform_with: PlatformWith, instance_type: str, accelerator: str
) -> None:
    machine = f"instanceType: {instance_type}, interconnect: ethernet"
    pool = f"{{{machine}, purpose: batch, nodes: {{max: 1}}}}"
    assert accelerator_of(platform_with("gke", pool).pools[0]) == accelerator
