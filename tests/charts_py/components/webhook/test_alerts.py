"""Alerts on the admission webhook itself."""

from __future__ import annotations

import re

import pytest

from charts_py.components.webhook.definition import VERDICTS_UNHEEDED, webhook_alerts
from charts_py.platform.prometheus_rules import Alert
from webhook.metrics import BUCKETS, Metrics

ALERTS = [alert for alert in webhook_alerts() if alert.name != VERDICTS_UNHEEDED]
_SUFFIXES = ("", "_total", "_bucket", "_sum", "_count")


def _registered() -> set[str]:
    families = Metrics().registry.collect()
    return {f"{family.name}{suffix}" for family in families for suffix in _SUFFIXES}


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert.name)
def test_an_alert_reads_metrics_that_the_server_has(alert: Alert) -> None:
    read = set(re.findall(r"gpuplane_webhook_\w+", alert.expression))
    assert read <= _registered()
    assert read or "up{" in alert.expression


def test_labels_that_alerts_speak_of_are_those_of_the_metrics() -> None:
    labels = {
        metric._name: metric._labelnames  # noqa: SLF001 # the client has no public reader
        for metric in vars(Metrics()).values()
        if hasattr(metric, "_labelnames")
    }
    assert labels["gpuplane_webhook_requests"] == ("path", "code")
    assert labels["gpuplane_webhook_decisions"] == ("rule", "decision")
    assert labels["gpuplane_webhook_reload_failing"] == ("what",)
    assert "digest" in labels["gpuplane_webhook_settings_info"]


def test_the_latency_that_is_alerted_on_is_the_bound_of_a_bucket() -> None:
    (slow,) = (alert for alert in ALERTS if alert.name == "GpuplaneWebhookSlow")
    assert float(slow.expression.rpartition(" > ")[2]) in BUCKETS


def test_each_alert_has_its_own_name_and_says_what_it_means() -> None:
    names = [alert.name for alert in ALERTS]
    assert len(set(names)) == len(names)
    assert {alert.severity for alert in ALERTS} == {"critical", "warning"}
    assert all(alert.summary.endswith(".") for alert in ALERTS)
