"""Thresholds of alerts that can be set for each pool."""

import pytest

from charts_py.cluster_file.field_schema import field_names
from charts_py.components.amd_gpu_operator.device_config import AMD_DEVICE_CONFIG
from charts_py.components.gpu_metrics.definition import gpu_alerts
from charts_py.components.gpu_metrics.measured import (
    PoolThreshold,
    collected_amd_metrics,
    measured_vendors,
    recorded_thresholds,
)
from charts_py.components.gpu_usage.rules import GPU_IDLE, usage_alert
from charts_py.metrics.series import Metric, known_series
from tests.charts_py.fixture_types import PlatformWith


def test_a_threshold_is_named_as_its_field_of_the_cluster_file() -> None:
    assert field_names(("pools", "NAME", "alerts")) == tuple(each.value for each in PoolThreshold)


def test_series_of_a_pool_are_compared_with_its_own_threshold() -> None:
    compared = (
        (usage_alert(GPU_IDLE), "idleMinutes"),
        (
            {alert.name: alert for alert in gpu_alerts()}["GpuplaneGpuNearlyTooHot"],
            "temperatureMargin",
        ),
    )
    for alert, threshold in compared:
        series = f'gpuplane_pool_threshold{{threshold="{threshold}"}}'
        assert f"on (pool) group_left () {series}" in alert.expression


@pytest.mark.parametrize(
    ("cluster", "changed", "pool", "thresholds"),
    [
        (
            "karpenter",
            ("purpose: notebooks\n", "purpose: notebooks\n    alerts: {idleMinutes: 240}\n"),
            "a10g-notebooks",
            {"temperatureMargin": "vector(5)", "idleMinutes": "vector(240)"},
        ),
        # Its exporter tells of no margin.
        (
            "amd",
            ("purpose: training\n", "purpose: training\n    alerts: {idleMinutes: 90}\n"),
            "mi300x",
            {"idleMinutes": "vector(90)"},
        ),
        ("intel", ("purpose", "purpose"), "max1550", {}),
    ],
)
def test_a_pool_has_the_thresholds_with_which_something_of_it_is_compared(
    cluster: str,
    changed: tuple[str, str],
    pool: str,
    thresholds: dict[str, str],
    platform_after: PlatformWith,
) -> None:
    rules = recorded_thresholds(platform_after(cluster, changed))
    recorded = {
        rule.labels["threshold"]: rule.expression for rule in rules if rule.labels["pool"] == pool
    }
    assert recorded == thresholds


@pytest.mark.parametrize(
    ("cluster", "vendors"), [("karpenter", ("nvidia",)), ("amd", ("amd",)), ("intel", ())]
)
def test_gpus_are_measured_by_the_exporters_of_their_vendors_that_name_nodes(
    cluster: str, vendors: tuple[str, ...], platform_after: PlatformWith
) -> None:
    assert measured_vendors(platform_after(cluster)) == vendors


@pytest.mark.parametrize(
    ("addons", "collected"),
    [
        ("", known_series().amd),
        ("addons: {monitoring: {serviceMonitors: false}}\n", ()),
    ],
)
def test_they_are_measured_and_alerted_on_where_the_prometheus_operator_scrapes(
    addons: str, collected: tuple[Metric, ...], platform_after: PlatformWith
) -> None:
    platform = platform_after("amd", ("pools:\n", f"{addons}pools:\n"))
    assert collected_amd_metrics(platform) == collected
    assert bool(AMD_DEVICE_CONFIG.rules.groups(platform)) == bool(collected)
