"""The rounds of culling."""

import pytest

from charts_py.components.gpu_usage.definition import GPU_IDLE, usage_alert
from charts_py.components.idle_gpus.objects import access, queries, settings
from culling.settings import Action, Settings
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
