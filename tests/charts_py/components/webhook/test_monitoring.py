"""How Prometheus watches the admission webhook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.webhook.definition import (
    KNOWN_VERDICTS,
    VERDICTS_UNHEEDED,
    rule_groups,
    scrape_target,
    webhook_alerts,
)
from charts_py.constructs.render import render
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.prometheus_rules import RecordingRule, RuleGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


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


def test_every_alert_is_in_the_group_of_its_namespace(
    example: Callable[[str], Platform],
) -> None:
    labels = {"app.kubernetes.io/name": "gpuplane-webhook"}
    *alerts, unheeded = webhook_alerts()
    assert unheeded.name == VERDICTS_UNHEEDED
    assert rule_groups(example("training")) == (
        RuleGroup("gpuplane-webhook", "gpuplane-system", tuple(alerts), labels),
    )


def test_where_policies_heed_its_verdicts_their_hash_is_recorded(
    example: Callable[[str], Platform],
) -> None:
    platform = example("onprem")
    (group,) = rule_groups(platform)
    recorded, *alerts = group.rules
    assert isinstance(recorded, RecordingRule)
    assert recorded.record == KNOWN_VERDICTS
    assert tuple(alerts) == webhook_alerts()
    policies = str(render(platform).folders["admission-policies"])
    assert f'"{recorded.labels["judged_by"]}"' in policies


def test_elsewhere_nobody_heeds_them(example: Callable[[str], Platform]) -> None:
    (group,) = rule_groups(example("training"))
    assert VERDICTS_UNHEEDED not in {alert.name for alert in group.alerts}


def test_rules_know_what_other_components_add(example: Callable[[str], Platform]) -> None:
    platform = example("onprem")
    (group,) = rule_groups(platform)
    assert group in platform.contribution.rules
