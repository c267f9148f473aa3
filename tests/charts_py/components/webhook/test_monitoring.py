"""How Prometheus watches the admission webhook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.webhook.alerts import ALERTS, KNOWN_VERDICTS, VERDICTS_UNHEEDED
from charts_py.components.webhook.monitoring import RULE_GROUP, rule_groups, scrape_target
from charts_py.platform.recording_rule import RecordingRule
from charts_py.platform.rule_group import RuleGroup
from charts_py.platform.scrape_target import ScrapeTarget
from charts_py.rendering.render import render

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


def test_every_alert_is_in_the_group_of_its_namespace() -> None:
    labels = {"app.kubernetes.io/name": "gpuplane-webhook"}
    assert RuleGroup("gpuplane-webhook", "gpuplane-system", ALERTS, labels) == RULE_GROUP


def test_where_policies_heed_its_verdicts_their_hash_is_recorded(
    example: Callable[[str], Platform],
) -> None:
    platform = example("onprem")
    (group,) = rule_groups(platform)
    recorded, *alerts = group.rules
    assert isinstance(recorded, RecordingRule)
    assert recorded.record == KNOWN_VERDICTS
    assert tuple(alerts) == (*ALERTS, VERDICTS_UNHEEDED)
    policies = str(render(platform).folders["admission-policies"])
    assert f'"{recorded.labels["judged_by"]}"' in policies


def test_elsewhere_nobody_heeds_them(example: Callable[[str], Platform]) -> None:
    assert rule_groups(example("training")) == (RULE_GROUP,)


def test_rules_know_what_other_components_add(example: Callable[[str], Platform]) -> None:
    platform = example("onprem")
    (group,) = rule_groups(platform)
    assert group in platform.contribution.rules
