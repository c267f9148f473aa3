"""What GKE calls GPUs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from charts_py.providers.gke_accelerator import ACCELERATORS, accelerator_of
from charts_py.render_error import RenderError
from gpus.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

CATALOG = load_catalog()
MACHINES = sorted(CATALOG.instance_types["gke"])
L4 = "{instanceType: g2-standard-4, purpose: batch, nodes: {max: 1}}"


@pytest.mark.parametrize(
    ("instance_type", "accelerator"),
    [("a3-highgpu-8g", "nvidia-h100-80gb"), ("a3-megagpu-8g", "nvidia-h100-mega-80gb")],
)
def test_the_machine_decides_the_name_of_an_h100(
    platform_with: PlatformWith, instance_type: str, accelerator: str
) -> None:
    pool = f"{{instanceType: {instance_type}, purpose: batch, nodes: {{max: 1}}}}"
    assert accelerator_of(platform_with("gke", pool).pools[0]) == accelerator


def test_every_machine_that_gke_has_gpus_in_has_an_accelerator() -> None:
    models = {machine.gpu for machine in CATALOG.instance_types["gke"].values()}
    assert models <= set(ACCELERATORS)


def test_every_name_is_that_of_a_known_model() -> None:
    assert set(ACCELERATORS) <= set(CATALOG.models)


def test_a_gpu_that_gke_does_not_have_is_an_error(platform_with: PlatformWith) -> None:
    (pool,) = platform_with("gke", L4).pools
    hardware = replace(pool.hardware, model=CATALOG.model("L40"))
    with pytest.raises(RenderError) as caught:
        accelerator_of(replace(pool, hardware=hardware))
    assert str(caught.value) == (
        "pool pool: GKE has no L40; allowed: A100-SXM-40, A100-SXM-80, B200, GB200, H100-SXM, "
        "H200-SXM, L4, RTX-PRO-6000, T4, V100-SXM-16; nearest: L4"
    )
