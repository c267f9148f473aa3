"""What Prometheus collects of AMD GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.amd_device_config.collected import collected_amd_metrics
from charts_py.components.amd_device_config.definition import AMD_DEVICE_CONFIG
from charts_py.metrics.series import known_series

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.metrics.series import Metric
    from charts_py.platform.platform import Platform


@pytest.mark.parametrize(
    ("addons", "collected"),
    [
        ("", known_series().amd),
        ("addons: {monitoring: {serviceMonitors: false}}\n", ()),
    ],
)
def test_they_are_measured_and_alerted_on_where_the_prometheus_operator_scrapes(
    addons: str,
    collected: tuple[Metric, ...],
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
) -> None:
    platform = platform_of(sample("amd", ("pools:\n", f"{addons}pools:\n")))
    assert collected_amd_metrics(platform) == collected
    assert bool(AMD_DEVICE_CONFIG.rules(platform)) == bool(collected)
