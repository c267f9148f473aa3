"""Alerts on nodes with GPUs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from charts_py.components.node_pools.definition import NODES_UNKNOWN, node_alerts, node_rules
from charts_py.metrics.series import in_metrics
from gpus.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

VENDORS = load_catalog().vendors.values()
WHOLE = [name for each in VENDORS for name in (each.resource, *each.other_resources)]
PARTS = ["nvidia.com/mig-1g.10gb", "nvidia.com/gpu.shared"]


@pytest.mark.parametrize("resource", [*WHOLE, *PARTS])
def test_they_read_the_gpus_of_every_maker_and_their_parts(resource: str) -> None:
    selectors = {s for a in node_alerts() for s in re.findall(r'resource=~"(.*?)"', a.expression)}
    assert all(re.fullmatch(selector, in_metrics(resource)) for selector in selectors)
    assert not any(re.fullmatch(selector, "cpu") for selector in selectors)


@pytest.mark.parametrize(("nodes", "is_told"), [("max: 2", False), ("min: 1, max: 4", True)])
def test_that_no_node_is_known_is_told_where_a_pool_keeps_one(
    platform_of: Callable[[str], Platform], sample: Callable[..., str], nodes: str, is_told: bool
) -> None:
    pool = "    nodes: {%s}\n    sharing: {timeSlicing: 4}"
    platform = platform_of(sample("gke", (pool % "max: 2", pool % nodes)))
    (group,) = node_rules(platform)
    assert (NODES_UNKNOWN in {alert.name for alert in group.alerts}) is is_told
