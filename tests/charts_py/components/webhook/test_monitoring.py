"""How Prometheus watches the admission webhook."""

from __future__ import annotations

from charts_py.components.webhook.alerts import ALERTS
from charts_py.components.webhook.monitoring import RULE_GROUP, scrape_target
from charts_py.platform.rule_group import RuleGroup
from charts_py.platform.scrape_target import ScrapeTarget


def test_metrics_are_read_over_tls() -> None:
    authority = {"secret": {"name": "gpuplane-webhook-tls", "key": "ca.crt"}}
    assert scrape_target(authority, is_apart=False) == ScrapeTarget(
        name="gpuplane-webhook",
        namespace="gpuplane-system",
        selector={"app.kubernetes.io/name": "gpuplane-webhook"},
        port="https",
        path="/metrics",
        tls={"ca": authority, "serverName": "gpuplane-webhook.gpuplane-system.svc"},
    )


def test_metrics_at_a_port_of_their_own_are_read_without_tls() -> None:
    assert scrape_target({}, is_apart=True) == ScrapeTarget(
        name="gpuplane-webhook",
        namespace="gpuplane-system",
        selector={"app.kubernetes.io/name": "gpuplane-webhook"},
        port="operations",
        path="/metrics",
        tls={},
    )


def test_every_alert_is_in_the_group_of_its_namespace() -> None:
    labels = {"app.kubernetes.io/name": "gpuplane-webhook"}
    assert RuleGroup("gpuplane-webhook", "gpuplane-system", ALERTS, labels) == RULE_GROUP
