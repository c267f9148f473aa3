"""What OpenCost reads of the prices of pools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.opencost.prices import prices_csv

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

ROWS = """\
,h200,,node,metadata.labels.gpuplane.io/pool,gpuplane.io/pool=h200,11.344041,
,l40s,,node,metadata.labels.gpuplane.io/pool,gpuplane.io/pool=l40s,4.500000,
"""


def test_nodes_are_priced_by_the_label_of_their_pool(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    platform = platform_of(sample("cost"))
    assert prices_csv(platform) == ROWS
    hours = [platform.price_of(pool) for pool in platform.pools]
    assert [f"{price.node_hour:.6f}" for price in hours if price] == ["11.344041", "4.500000"]


def test_a_pool_without_a_price_is_left_out(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    platform = platform_of(sample("cost", ("    price: 4.5\n", "")))
    assert prices_csv(platform) == ROWS.splitlines(keepends=True)[0]
