"""The rounds of culling."""

from typing import Any

import pytest

from charts_py.components.gpu_usage.definition import GPU_IDLE, usage_alert
from charts_py.components.idle_gpus.objects import access, prometheus_rule, queries, settings
from culling.settings import Action, Settings
from tests.charts_py.components.opened import at, in_namespace, tcp
from tests.charts_py.fixture_types import PlatformWith

READS = {("", "pods"), ("batch", "jobs"), ("kubeflow.org", "notebooks")}
SCALED = {
    ("apps", "deployments"),
    ("apps", "replicasets"),
    ("apps", "statefulsets"),
    ("leaderworkerset.x-k8s.io", "leaderworkersets"),
}
CHANGES = {
    ("", "pods/eviction", "create"),
    ("kubeflow.org", "notebooks", "patch"),
    *((group, resource, "patch") for group, resource in SCALED),
}


def rights(action: Action) -> set[tuple[str, str, str]]:
    (role,) = (each for each in access(action, ()) if each["kind"] == "ClusterRole")
    return {
        (group, resource, verb)
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


@pytest.mark.parametrize(("action", "changes"), [(Action.OBSERVE, set()), (Action.END, CHANGES)])
def test_who_only_observes_can_change_nothing(
    action: Action, changes: set[tuple[str, str, str]]
) -> None:
    reads = {(group, resource, "get") for group, resource in READS | SCALED}
    assert rights(action) == {*reads, ("", "pods", "list"), ("", "events", "create"), *changes}


def test_it_has_rights_in_the_namespaces_that_ask_for_it_alone() -> None:
    documents = list(access(Action.END, ("a", "b")))
    bindings = [each for each in documents if each["kind"].endswith("Binding")]
    assert [(each["kind"], each["metadata"]["namespace"]) for each in bindings] == [
        ("RoleBinding", "a"),
        ("RoleBinding", "b"),
    ]
    (account,) = bindings[0]["subjects"]
    assert account == {
        "kind": "ServiceAccount",
        "name": "gpuplane-cull",
        "namespace": "gpuplane-culling",
    }


TO_MONITORING = {"to": [in_namespace("monitoring")], "ports": [{"protocol": "TCP"}]}


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://prometheus-operated.monitoring.svc:9090", TO_MONITORING),
        ("http://prometheus.monitoring.svc.cluster.local/p", TO_MONITORING),
        ("http://prometheus.monitoring", TO_MONITORING),
        ("https://prometheus.example.com/p", {"ports": tcp(443)}),
        ("http://192.0.2.7:9090", {"to": at("192.0.2.7/32"), "ports": tcp(9090)}),
        ("http://[2001:db8::7]", {"to": at("2001:db8::7/128"), "ports": tcp(80)}),
    ],
)
def test_prometheus_is_reached_where_its_address_says(url: str, rule: dict[str, Any]) -> None:
    assert prometheus_rule(url) == rule


def test_it_is_told_what_the_cluster_file_says(platform_after: PlatformWith) -> None:
    assert settings(platform_after("idle-gpus")) == Settings(
        prometheus_url="http://prometheus-operated.monitoring.svc:9090",
        namespaces=("research-notebooks",),
        action=Action.END,
        max_percent=20,
        queries=queries(),
    )


def test_what_is_idle_is_what_the_alert_fires_by() -> None:
    idle = usage_alert(GPU_IDLE).expression
    assert idle in queries().idle_gpus
    assert idle in queries().idle_minutes
