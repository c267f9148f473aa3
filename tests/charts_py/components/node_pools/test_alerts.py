"""Alerts on nodes with GPUs."""

from __future__ import annotations

import re

import pytest

from charts_py.components.node_pools.alerts import node_alerts
from charts_py.metrics.kube_state_metric import in_metrics
from gpus.catalog import load_catalog

VENDORS = load_catalog().vendors.values()
WHOLE = [name for each in VENDORS for name in (each.resource, *each.other_resources)]
PARTS = ["nvidia.com/mig-1g.10gb", "nvidia.com/gpu.shared"]


@pytest.mark.parametrize("resource", [*WHOLE, *PARTS])
def test_they_read_the_gpus_of_every_maker_and_their_parts(resource: str) -> None:
    selectors = {s for a in node_alerts() for s in re.findall(r'resource=~"(.*?)"', a.expression)}
    assert all(re.fullmatch(selector, in_metrics(resource)) for selector in selectors)
    assert not any(re.fullmatch(selector, "cpu") for selector in selectors)
