"""How Prometheus watches the admission webhook."""

from __future__ import annotations

from charts_py.components.scrape_target import ScrapeTarget
from charts_py.components.webhook.alerts import ALERTS
from charts_py.components.webhook.monitoring import alert_rule, scrape_target


def test_metrics_are_read_over_tls() -> None:
    authority = {"secret": {"name": "gpuplane-webhook-tls", "key": "ca.crt"}}
    assert scrape_target(authority) == ScrapeTarget(
        name="gpuplane-webhook",
        namespace="gpuplane-system",
        selector={"app.kubernetes.io/name": "gpuplane-webhook"},
        port="https",
        path="/metrics",
        tls={"ca": authority, "serverName": "gpuplane-webhook.gpuplane-system.svc"},
    )


def test_every_alert_is_in_the_rule() -> None:
    (group,) = alert_rule()["spec"]["groups"]
    assert [each["alert"] for each in group["rules"]] == [alert.name for alert in ALERTS]
