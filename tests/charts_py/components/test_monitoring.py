"""What Prometheus scrapes of a platform, and when it alerts."""

from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.cluster_file.addons import Prometheus
from charts_py.components.gpu_operator.values import gpu_operator_values
from charts_py.components.monitoring import MONITORING, monitoring_objects
from charts_py.components.registry import DEFINITIONS
from charts_py.constructs.render import render
from charts_py.objects.document import Document
from charts_py.platform.metrics_collection import (
    Alert,
    MetricsCollection,
    Recipient,
    RecordingRule,
    RuleGroup,
    ScrapeTarget,
    Severity,
)
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load, PlatformWith

OWN = "addons:\n  monitoring: {prometheus: operator}\npools:\n"
NONE = "addons:\n  monitoring: {serviceMonitors: false}\npools:\n"
LABELS = {"app.kubernetes.io/name": "exporter"}
TLS = {"serverName": "exporter.tools.svc"}
ALERT = Alert(
    name="Down",
    expression="absent(up)",
    lasting="5m",
    severity=Severity.WARNING,
    recipient=Recipient.PLATFORM,
    summary="It is down.",
    remedy="Start it.",
    source="It takes a minute to start.",
)
RECORDED = RecordingRule("job:up:sum", "sum by (job) (up)")
RULE = {
    "alert": "Down",
    "expr": "absent(up)",
    "for": "5m",
    "labels": {"severity": "warning"},
    "annotations": {"summary": "It is down.", "description": "Start it."},
}
METADATA = {
    "name": "exporter",
    "namespace": "tools",
    "labels": {"app.kubernetes.io/managed-by": "gpuplane", **LABELS},
}


def test_it_is_synced_when_nothing_can_wait_for_it_any_more() -> None:
    assert max(definition.wave for definition in DEFINITIONS) == MONITORING.wave
    assert [each.name for each in DEFINITIONS if MONITORING.name in each.depends_on] == []


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_no_other_component_holds_kinds_of_prometheus(example: Load, cluster: str) -> None:
    holders = {
        name
        for name, documents in render(example(cluster)).folders.items()
        if name != "manifests"  # what the cluster itself brings
        and any(each["apiVersion"].startswith("monitoring.") for each in documents)
    }
    assert holders == {"monitoring"}


@pytest.mark.parametrize(
    ("changed", "is_managed", "has_monitor"),
    [("pools:\n", True, False), (OWN, False, True), (NONE, False, False)],
    ids=["default", "operator", "none"],
)
def test_the_exporter_is_scraped_once_or_by_nobody(
    platform_after: PlatformWith, *, changed: str, is_managed: bool, has_monitor: bool
) -> None:
    platform = platform_after("gke", ("pools:\n", changed))
    monitor = gpu_operator_values(platform)["dcgmExporter"]["serviceMonitor"]
    assert (_is_watched(platform), monitor["enabled"]) == (is_managed, has_monitor)


def _is_watched(platform: Platform) -> bool:
    return any(target.name == "nvidia-dcgm-exporter" for target in platform.watched.scraped)


def objects(
    prometheus: Prometheus | None,
    *,
    tls: Mapping[str, Any] | None = None,
    reads_other_namespaces: bool = False,
    runbooks: str | None = None,
) -> list[Document]:
    collection = MetricsCollection(prometheus, ("monitoring",), "30s", runbooks=runbooks)
    target = ScrapeTarget("exporter", "tools", LABELS, "metrics", tls=tls or {})
    group = RuleGroup("exporter", "tools", (RECORDED, ALERT), LABELS, reads_other_namespaces)
    return list(monitoring_objects((target,), (group,), collection))


@pytest.mark.parametrize(
    ("tls", "endpoint"), [({}, {"scheme": "http"}), (TLS, {"scheme": "https", "tlsConfig": TLS})]
)
def test_a_target_is_scraped_by_a_service_monitor_over_tls_or_not(
    tls: Mapping[str, Any], endpoint: Mapping[str, Any]
) -> None:
    _, monitor = objects(Prometheus.OPERATOR, tls=tls)
    assert monitor == {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "ServiceMonitor",
        "metadata": METADATA,
        "spec": {
            "selector": {"matchLabels": LABELS},
            "endpoints": [{"port": "metrics", "path": "/metrics", "interval": "30s", **endpoint}],
        },
    }


def test_a_target_whose_metrics_tell_of_others_keeps_their_labels() -> None:
    target = ScrapeTarget("exporter", "tools", LABELS, "metrics", honors_labels=True)
    collection = MetricsCollection(Prometheus.OPERATOR, ("monitoring",), "30s")
    (monitor,) = monitoring_objects((target,), (), collection)
    (endpoint,) = monitor["spec"]["endpoints"]
    assert endpoint["honorLabels"] is True


def test_a_target_that_asks_who_reads_it_is_shown_the_token_of_prometheus() -> None:
    target = ScrapeTarget("exporter", "tools", LABELS, "metrics", is_authorized=True)
    collection = MetricsCollection(Prometheus.OPERATOR, ("monitoring",), "30s")
    (monitor,) = monitoring_objects((target,), (), collection)
    (endpoint,) = monitor["spec"]["endpoints"]
    token = "/var/run/secrets/kubernetes.io/serviceaccount/token"  # noqa: S105 # where it stands
    assert endpoint["bearerTokenFile"] == token


@pytest.mark.parametrize(
    ("tls", "endpoint"),
    [({}, {"scheme": "http"}), (TLS, {"scheme": "https", "tls": {"insecureSkipVerify": True}})],
)
def test_google_scrapes_its_pods_by_a_pod_monitoring_over_tls_or_not(
    tls: Mapping[str, Any], endpoint: Mapping[str, Any]
) -> None:
    _, monitoring = objects(Prometheus.GOOGLE_MANAGED, tls=tls)
    assert monitoring == {
        "apiVersion": "monitoring.googleapis.com/v1",
        "kind": "PodMonitoring",
        "metadata": METADATA,
        "spec": {
            "selector": {"matchLabels": LABELS},
            "endpoints": [{"port": "metrics", "path": "/metrics", "interval": "30s", **endpoint}],
            "targetLabels": {"metadata": ["container", "pod"]},
        },
    }


@pytest.mark.parametrize("reads_other_namespaces", [False, True])
def test_alerts_are_a_rule_of_the_operator(*, reads_other_namespaces: bool) -> None:
    rule, _ = objects(Prometheus.OPERATOR, reads_other_namespaces=reads_other_namespaces)
    assert rule == {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": METADATA,
        "spec": {"groups": [{"name": "exporter", "rules": [RECORDED.rule(), RULE]}]},
    }


@pytest.mark.parametrize(
    ("reads_other_namespaces", "kind", "metadata"),
    [
        (False, "Rules", METADATA),
        (True, "ClusterRules", {key: METADATA[key] for key in ("name", "labels")}),
    ],
)
def test_alerts_are_rules_of_google_which_see_their_namespace_or_the_cluster(
    *, reads_other_namespaces: bool, kind: str, metadata: Mapping[str, Any]
) -> None:
    rules, _ = objects(Prometheus.GOOGLE_MANAGED, reads_other_namespaces=reads_other_namespaces)
    assert rules == {
        "apiVersion": "monitoring.googleapis.com/v1",
        "kind": kind,
        "metadata": metadata,
        "spec": {
            "groups": [{"name": "exporter", "rules": [RECORDED.rule(), RULE], "interval": "1m"}]
        },
    }


@pytest.mark.parametrize("prometheus", Prometheus)
def test_alerts_link_to_runbooks_where_these_have_an_address(prometheus: Prometheus) -> None:
    rule, _ = objects(prometheus, runbooks="https://docs.example.com/alerts/#")
    ((recorded, alert),) = (group["rules"] for group in rule["spec"]["groups"])
    assert recorded == RECORDED.rule()
    assert alert["annotations"]["runbook_url"] == "https://docs.example.com/alerts/#down"


def test_a_cluster_that_wants_none_has_none() -> None:
    assert objects(None) == []
