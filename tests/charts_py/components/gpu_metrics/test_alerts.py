"""Alerts on NVIDIA GPUs, by what DCGM measures of their health."""

import re

import pytest

from charts_py.components.gpu_metrics.definition import gpu_alerts
from charts_py.metrics.series import Scope, known_series
from charts_py.platform.metrics_collection import Alert, Severity
from gpus.xid import XidClass, load_xids, xids_of

ALERTS = {alert.name: alert for alert in gpu_alerts()}
OF_ERRORS = [name for name, alert in ALERTS.items() if "(XID)" in alert.summary]
HEALTH_COUNTERS = [each for each in known_series().dcgm if not each.is_for_profiling]

each_alert = pytest.mark.parametrize("alert", gpu_alerts(), ids=lambda each: each.name)


def codes(name: str) -> list[str]:
    """Return the errors that an alert selects, or leaves out."""
    (found,) = set(re.findall(r'xid[=!]~"(.*?)"', ALERTS[name].expression))
    return str(found).split("|")


@pytest.mark.parametrize(
    ("name", "xid_class", "severity"),
    [
        ("GpuplaneGpuDriverError", XidClass.DRIVER, Severity.WARNING),
        ("GpuplaneGpuApplicationError", XidClass.APPLICATION, Severity.INFO),
    ],
)
def test_an_alert_is_on_the_errors_of_a_class(
    name: str, xid_class: XidClass, severity: Severity
) -> None:
    assert codes(name) == [str(xid.code) for xid in xids_of(xid_class)]
    assert ALERTS[name].severity is severity


@pytest.mark.parametrize(
    ("name", "graded", "severity"),
    [
        ("GpuplaneGpuHardwareError", False, Severity.CRITICAL),
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
