"""The file of MIG layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_sharing.mig_parted_config import mig_parted_config

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

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
def test_every_label_for_the_mig_manager_names_a_layout(
    cluster: str, example: Callable[[str], Platform]
) -> None:
    pools = example(cluster).pools
    asked = {pool.facts.labels.get("nvidia.com/mig.config", "all-disabled") for pool in pools}
    assert asked == set(mig_parted_config(pools)["mig-configs"])
