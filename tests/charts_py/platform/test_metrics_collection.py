import re
from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.cluster_file.addons import Monitoring, Prometheus
from charts_py.components.webhook.definition import webhook_alerts
from charts_py.components.webhook.server import NAME, NAMESPACE
from charts_py.platform.metrics_collection import (
    Alert,
    MetricsCollection,
    Recipient,
    RecordingRule,
    RuleGroup,
    Severity,
    metrics_collection,
)
from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider

GOOGLE = ("gke-gmp-system", "gmp-system")


@pytest.mark.parametrize(
    ("provider", "prometheus", "namespaces"),
    [
        (Provider.EKS, Prometheus.OPERATOR, ("monitoring",)),
        (Provider.GKE, Prometheus.GOOGLE_MANAGED, GOOGLE),
        (Provider.AKS, Prometheus.OPERATOR, ("monitoring",)),
        (Provider.ONPREM, Prometheus.OPERATOR, ("monitoring",)),
    ],
)
def test_a_provider_has_its_own_by_default(
    provider: Provider, prometheus: Prometheus, namespaces: tuple[str, ...]
) -> None:
    collection = MetricsCollection(prometheus, namespaces, "15s")
    assert metrics_collection(Monitoring(), PROVIDERS[provider]) == collection


@pytest.mark.parametrize(
    ("prometheus", "namespace", "namespaces"),
    [
        (Prometheus.OPERATOR, None, ("monitoring",)),
        (Prometheus.OPERATOR, "metrics", ("metrics",)),
        (Prometheus.GOOGLE_MANAGED, "metrics", (*GOOGLE, "metrics")),
    ],
)
def test_metrics_are_open_to_who_collects_and_to_the_namespace_that_is_named(
    prometheus: Prometheus, namespace: str | None, namespaces: tuple[str, ...]
) -> None:
    monitoring = Monitoring(prometheus=prometheus, namespace=namespace)
    collection = MetricsCollection(prometheus, namespaces, "15s")
    assert metrics_collection(monitoring, PROVIDERS[Provider.GKE]) == collection


@pytest.mark.parametrize(
    ("prometheus", "has_operator"),
    [(Prometheus.OPERATOR, True), (Prometheus.GOOGLE_MANAGED, False), (None, False)],
)
def test_only_the_operator_has_its_kinds(
    *, prometheus: Prometheus | None, has_operator: bool
) -> None:
    assert MetricsCollection(prometheus, (), "15s").has_operator is has_operator


def test_a_cluster_can_leave_what_is_scraped_to_others() -> None:
    collection = metrics_collection(
        Monitoring.model_validate({"serviceMonitors": False}), PROVIDERS[Provider.GKE]
    )
    assert collection == MetricsCollection(None, GOOGLE, "15s")


ALERT = Alert(
    name="NameOfIt",
    expression="up == 0",
    lasting="5m",
    severity=Severity.WARNING,
    recipient=Recipient.PLATFORM,
    summary="It is down.",
    remedy="Start it.",
    source="It takes a minute to start.",
)
RULE: dict[str, Any] = {
    "alert": "NameOfIt",
    "expr": "up == 0",
    "for": "5m",
    "labels": {"severity": "warning"},
    "annotations": {"summary": "It is down.", "description": "Start it."},
}


def test_an_alert_is_a_rule_of_prometheus() -> None:
    assert ALERT.rule() == RULE


def test_one_that_wakes_somebody_says_why() -> None:
    rule = replace(ALERT, severity=Severity.CRITICAL, urgency="It is all of them.").rule()
    assert (rule["labels"], rule["annotations"]) == (
        {"severity": "critical"},
        RULE["annotations"] | {"urgency": "It is all of them."},
    )


def test_it_links_to_its_runbook_by_its_name_in_lower_case() -> None:
    link = {"runbook_url": "https://docs.example.com/alerts/#nameofit"}
    assert ALERT.rule("https://docs.example.com/alerts/#") == RULE | {
        "annotations": RULE["annotations"] | link
    }


def test_targets_are_selected_by_labels_that_they_have_whoever_scrapes() -> None:
    expressions = " ".join(alert.expression for alert in webhook_alerts())
    selectors = re.findall(r"up\{(.+?)\}", expressions)
    selected = [dict(re.findall(r'(\w+)="([^"]*)"', selector)) for selector in selectors]
    own = {"namespace": NAMESPACE, "job": NAME}
    assert selected
    assert [each for each in selected if each != own] == []


@pytest.mark.parametrize(
    ("labels", "said"),
    [({}, {}), ({"pool": "h100"}, {"labels": {"pool": "h100"}})],
    ids=["without-labels", "with-labels"],
)
def test_a_recording_rule_is_a_rule_of_prometheus(
    labels: dict[str, str], said: dict[str, Any]
) -> None:
    rule = RecordingRule("pool:gpus:sum", "sum by (pool) (gpus)", labels)
    assert rule.rule() == {"record": "pool:gpus:sum", "expr": "sum by (pool) (gpus)", **said}


def test_a_group_tells_its_alerts_from_what_it_records() -> None:
    recorded = RecordingRule("job:up:sum", "sum by (job) (up)")
    assert RuleGroup("tools", "tools", (recorded, ALERT)).alerts == (ALERT,)
