"""The file of MIG layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_sharing.mig_parted_config import mig_parted_config

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

LABEL = "nvidia.com/mig.config"
TWO_LAYOUTS = """
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
pools:
  big:
    gpu: A100-SXM-80
    gpus: 8
    cpu: 128
    memory: 1Ti
    purpose: training
    nodes: {min: 2, max: 2}
    sharing: {mig: {1g.10gb: 7}}
  small:
    gpu: A30
    gpus: 4
    cpu: 64
    memory: 512Gi
    purpose: inference
    nodes: {min: 2, max: 2}
    sharing: {mig: {1g.6gb: 4}}
"""
WHOLE_GPUS = [{"devices": "all", "mig-enabled": False}]


def test_a_layout_stands_under_the_name_that_the_pools_label_asks_for(
    example: Callable[[str], Platform],
) -> None:
    assert mig_parted_config(example("training").pools) == {
        "version": "v1",
        "mig-configs": {
            "all-disabled": WHOLE_GPUS,
            "mig-1g.10gb-x2-2g.20gb-x1-3g.40gb-x1": [
                {
                    "devices": "all",
                    "mig-enabled": True,
                    "mig-devices": {"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1},
                }
            ],
        },
    }


def test_without_layouts_there_is_the_one_of_whole_gpus() -> None:
    assert mig_parted_config(()) == {"version": "v1", "mig-configs": {"all-disabled": WHOLE_GPUS}}


@pytest.mark.parametrize("cluster", ["training", "onprem"])
def test_every_pool_whose_gpus_can_be_cut_names_a_layout_and_no_other_does(
    cluster: str, example: Callable[[str], Platform]
) -> None:
    pools = example(cluster).pools
    asked = {pool.name: pool.facts.labels.get(LABEL) for pool in pools}
    layouts = {pool.name: pool.facts.sharing.mig_config_name for pool in pools}
    assert asked == {
        pool.name: (layouts[pool.name] or "all-disabled") if pool.hardware.model.mig else None
        for pool in pools
    }
    assert {name for name in asked.values() if name} <= set(mig_parted_config(pools)["mig-configs"])


def test_a_pool_that_drops_its_layout_asks_for_whole_gpus_while_another_keeps_its_own(
    platform_of: Callable[[str], Platform],
) -> None:
    after = TWO_LAYOUTS.replace("sharing: {mig: {1g.10gb: 7}}", "sharing: {}")
    assert [_asked(platform_of(text)) for text in (TWO_LAYOUTS, after)] == [
        {"big": "mig-1g.10gb-x7", "small": "mig-1g.6gb-x4"},
        {"big": "all-disabled", "small": "mig-1g.6gb-x4"},
    ]


def _asked(platform: Platform) -> dict[str, str | None]:
    return {pool.name: pool.facts.labels.get(LABEL) for pool in platform.pools}
