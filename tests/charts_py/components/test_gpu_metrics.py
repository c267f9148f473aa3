"""Thresholds of alerts that can be set for each pool."""

import re

import pytest

from charts_py.cluster_file.addons import GpuCounters
from charts_py.cluster_file.field_schema import field_names
from charts_py.components.amd_gpu_operator import AMD_DEVICE_CONFIG
from charts_py.components.gpu_metrics import (
    PoolThreshold,
    collected_amd_metrics,
    counters_config_map,
    counters_config_map_name,
    counters_file,
    gpu_alerts,
    measured_vendors,
    recorded_thresholds,
)
from charts_py.components.gpu_usage.definition import GPU_IDLE, usage_alert
from charts_py.metrics.series import Metric, Scope, known_series
from charts_py.platform.metrics_collection import Alert, Severity
from gpus.xid import XidClass, load_xids, xids_of
from tests.charts_py.fixture_types import PlatformWith
from tests.charts_py.managed import managed

ALERTS = {alert.name: alert for alert in gpu_alerts()}
OF_ERRORS = [name for name, alert in ALERTS.items() if "(XID)" in alert.summary]
HEALTH_COUNTERS = [each for each in known_series().dcgm if not each.is_for_profiling]
each_alert = pytest.mark.parametrize("alert", gpu_alerts(), ids=lambda each: each.name)


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
    [("", known_series().amd), ("addons: {monitoring: {serviceMonitors: false}}\n", ())],
)
def test_they_are_measured_and_alerted_on_where_the_prometheus_operator_scrapes(
    addons: str, collected: tuple[Metric, ...], platform_after: PlatformWith
) -> None:
    platform = platform_after("amd", ("pools:\n", f"{addons}pools:\n"))
    assert collected_amd_metrics(platform) == collected
    assert bool(AMD_DEVICE_CONFIG.rules.groups(platform)) == bool(collected)


DRIVER_VERSION = "DCGM_FI_DRIVER_VERSION, label, Version of the driver"


def test_it_has_a_line_for_each_counter() -> None:
    rows = [counter.row for counter in known_series().dcgm]
    assert counters_file(GpuCounters.PROFILING).splitlines() == [DRIVER_VERSION, *rows]


def test_profiling_is_left_out_where_it_is_not_asked_for() -> None:
    rows = [counter.row for counter in known_series().dcgm if not counter.is_for_profiling]
    assert counters_file(GpuCounters.HEALTH).splitlines() == [DRIVER_VERSION, *rows]


def test_it_stands_where_the_gpu_operator_mounts_it() -> None:
    assert counters_config_map(GpuCounters.HEALTH) == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": managed(counters_config_map_name(GpuCounters.HEALTH), "gpu-operator"),
        "data": {"dcgm-metrics.csv": counters_file(GpuCounters.HEALTH)},
    }


def test_other_counters_have_another_name_so_that_exporters_start_again() -> None:
    names = {counters_config_map_name(each) for each in (GpuCounters.HEALTH, GpuCounters.PROFILING)}
    assert len(names) == 2


def codes(name: str) -> list[str]:
    """Return the errors that an alert selects, or leaves out."""
    (found,) = set(re.findall(r'xid[=!]~"(.*?)"', ALERTS[name].expression))
    return str(found).split("|")


@pytest.mark.parametrize(
    ("name", "classes", "severity"),
    [
        ("GpuplaneGpuDriverError", (XidClass.HANG, XidClass.DRIVER), Severity.WARNING),
        ("GpuplaneGpuApplicationError", (XidClass.APPLICATION,), Severity.INFO),
    ],
)
def test_an_alert_is_on_the_errors_of_its_classes(
    name: str, classes: tuple[XidClass, ...], severity: Severity
) -> None:
    assert codes(name) == [str(xid.code) for xid in xids_of(*classes)]
    assert ALERTS[name].severity is severity


@pytest.mark.parametrize(
    ("name", "graded", "severity"),
    [
        ("GpuplaneGpuHardwareError", False, Severity.WARNING),
        ("GpuplaneGpuLinkError", True, Severity.WARNING),
    ],
)
def test_errors_of_hardware_that_may_not_be_fatal_wake_nobody(
    name: str, graded: bool, severity: Severity
) -> None:
    hardware = xids_of(XidClass.HARDWARE)
    assert codes(name) == [str(xid.code) for xid in hardware if xid.is_graded is graded]
    assert ALERTS[name].severity is severity


def test_what_is_in_no_class_is_told_and_what_is_no_error_is_not() -> None:
    assert codes("GpuplaneGpuUnknownError") == ["", "0", *(str(x.code) for x in load_xids())]


@pytest.mark.parametrize("name", OF_ERRORS)
def test_no_alert_takes_a_rate_of_what_is_counted_over_a_window(name: str) -> None:
    assert "DCGM_EXP_XID_ERRORS_COUNT" in ALERTS[name].expression
    assert re.findall(r"rate|increase|delta|changes", ALERTS[name].expression) == []


@each_alert
def test_it_reads_no_counter_that_is_collected_for_profiling_alone(alert: Alert) -> None:
    read = set(re.findall(r"DCGM_\w+", alert.expression))
    assert read - {counter.name for counter in HEALTH_COUNTERS} == set()


@each_alert
def test_what_is_of_a_whole_gpu_is_read_once_for_each(alert: Alert) -> None:
    of_gpus = {counter.name for counter in HEALTH_COUNTERS if counter.scope is Scope.GPU}
    once = r"(?:max|min) by \((?:node, UUID[^)]*|node)\) \("
    seen = re.findall(rf"{once}\S*?(DCGM_\w+)", re.sub(r"label_replace\(", "", alert.expression))
    assert set(re.findall(r"DCGM_\w+", alert.expression)) & of_gpus <= set(seen)
