from __future__ import annotations

import pytest

from charts_py.components.argocd_application import API_VERSION
from charts_py.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.api_client import ApiClient
from tests.e2e.argo_cd_applications import (
    PATIENCE_SECONDS,
    application,
    approve_removal,
    created_in_order,
    refresh,
    states,
    wait_until_settled,
)
from tests.e2e.argo_cd_cluster import SyncedCluster, cluster_fixture
from tests.e2e.argo_cd_commands import NAMESPACE
from tests.e2e.argo_cd_reports import WRITERS
from tests.e2e.evidence import Evidence

WITHOUT_ROBOTICS = "9.0.0-rc.1"
WITHOUT_MANIFESTS = "9.0.0-rc.2"


cluster = cluster_fixture("onprem")


@pytest.fixture
def live(platforms: dict[str, Platform]) -> str:
    return platforms["onprem"].live


def test_every_component_is_synced_and_healthy(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    settled = cluster.settle(live)
    missing = cluster.repository.charts_missing("onprem", live)
    assert missing == ["onprem-amd-gpu-operator"]
    assert [state.culprits for state in settled.values() if state.culprits] == []
    evidence.show(
        "Argo CD syncs every component of the cluster onprem whose chart is at hand.",
        f"{len(settled)} Applications Synced and Healthy; without a chart: {', '.join(missing)}",
    )
    told = sorted(f"{kind} ({WRITERS[kind]})" for kind in cluster.reports.kinds)
    evidence.show(
        "Health that needs what cannot run here is reported in its place (onprem).", ", ".join(told)
    )


def test_a_wave_waits_for_the_health_of_the_wave_before(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    waves = {name: states(cluster.admin)[name].wave for name in cluster.components(live)}
    operators = waves["onprem-gpu-operator"]
    before = {name for name, wave in waves.items() if wave <= operators}
    assert cluster.held_message == (
        "waiting for healthy state of argoproj.io/Application/onprem-gpu-operator"
    )
    assert set(cluster.held) == {"onprem-root", "onprem-live", *before}
    created = [name for name in created_in_order(cluster.audit_log) if name in waves]
    assert sorted(created) == sorted(waves)
    assert [waves[name] for name in created] == sorted(waves.values())
    evidence.show(
        "A sync wave waits until the Applications of the wave before are healthy.",
        f"{cluster.held_message}: {len(before)} of {len(waves)} Applications were there",
    )


def test_the_applications_of_applications_are_synced(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    folder = f"dist/onprem/{live}/argocd"
    served = {
        each["metadata"]["name"]: each["spec"] for each in cluster.repository.applications(folder)
    }
    held = cluster.admin.find(API_VERSION, "Application", NAMESPACE)
    assert {
        each["metadata"]["name"]: each["spec"]
        for each in held
        if each["metadata"]["name"] in served
    } == served
    roots = {"onprem-root": "dist/onprem", "onprem-live": folder}
    wait_until_settled(cluster.admin, roots)
    evidence.show(
        "The Applications that sync Applications are Synced and Healthy, too.", ", ".join(roots)
    )


def test_a_hard_refresh_finds_no_drift(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    before = cluster.settle(live)
    refresh(cluster.admin, before)
    after = {name: states(cluster.admin)[name] for name in before}
    assert after == before
    evidence.show(
        "A hard refresh finds no drift in any component of the cluster onprem.",
        f"{len(after)} Applications compared anew, 0 OutOfSync, 0 synced again",
    )


QUOTA = ("v1", "ResourceQuota", "quota", "simulation")
BINDING = ("rbac.authorization.k8s.io/v1", "RoleBinding", "gpu-user", "simulation")
OPERATOR = ("apps/v1", "Deployment", "gpu-operator", "gpu-operator")


def test_a_change_by_hand_is_healed(cluster: SyncedCluster, live: str, evidence: Evidence) -> None:
    admin = cluster.admin
    cluster.settle(live)
    quota, binding, operator = (_identified(*each) for each in (QUOTA, BINDING, OPERATOR))
    hard = admin.get(*QUOTA)["spec"]["hard"]
    image = admin.get(*OPERATOR)["spec"]["template"]["spec"]["containers"][0]["image"]
    subjects = admin.get(*BINDING)["subjects"]

    admin.patch(quota, {"spec": {"hard": {"requests.nvidia.com/gpu": "1000"}}})
    admin.delete(binding)
    change = [{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "other"}]
    admin.patch(operator, change, content_type="application/json-patch+json")

    admin.wait_for(quota, lambda found: bool(found["spec"]["hard"] == hard), PATIENCE_SECONDS)
    admin.wait_for(binding, lambda found: bool(found["subjects"] == subjects), PATIENCE_SECONDS)
    admin.wait_for(operator, lambda found: _image(found) == image, PATIENCE_SECONDS)
    cluster.settle(live)
    evidence.show(
        "What is changed by hand is healed.",
        "a quota raised, a RoleBinding deleted and an operator's image changed: all 3 restored",
    )


TEAM = application("onprem-team-robotics")
ROBOTICS: Document = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "robotics"}}


def test_a_removed_team_goes_once_a_person_has_confirmed(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin = cluster.admin
    remove_robotics(cluster)
    try:
        assert "deletionTimestamp" not in admin.wait_for(ROBOTICS)["metadata"]
        approve_removal(admin, "onprem-team-robotics")
        admin.wait_until_gone(TEAM, PATIENCE_SECONDS)
        admin.wait_until_gone(ROBOTICS, PATIENCE_SECONDS)
        left = cluster.settle(WITHOUT_ROBOTICS)
    finally:
        cluster.go_live(live)
        cluster.settle(live)
    assert admin.wait_for(ROBOTICS)["status"]["phase"] == "Active"
    evidence.show(
        "A removed team is pruned once a person has confirmed it, and a roll-back brings it back.",
        f"{len(left)} Applications stayed; the namespace robotics stayed until "
        "argocd.argoproj.io/deletion-approved was set",
    )


@pytest.mark.xfail(
    strict=True,
    raises=TimeoutError,
    reason="the sync of the version that removes the team runs until the removal is confirmed",
)
def test_a_removal_that_nobody_confirms_does_not_hold_a_roll_back(
    cluster: SyncedCluster, live: str
) -> None:
    remove_robotics(cluster)
    cluster.go_live(live)
    try:
        cluster.admin.wait_for(application("onprem-live"), is_not_syncing, 90)
    finally:
        approve_removal(cluster.admin, "onprem-team-robotics")
        cluster.settle(live)


def remove_robotics(cluster: SyncedCluster) -> None:
    cluster.release(WITHOUT_ROBOTICS, lambda fields: fields["teams"].pop("robotics"))
    cluster.admin.wait_for(TEAM, _needs_confirmation, PATIENCE_SECONDS)


def is_not_syncing(document: Document) -> bool:
    return document["status"].get("operationState", {}).get("phase") not in (None, "Running")


@pytest.mark.xfail(
    strict=True,
    raises=(AssertionError, TimeoutError),
    reason="the AppProject of the version that drops a namespace denies what would prune there",
)
def test_a_component_that_is_removed_leaves_nothing_behind(
    cluster: SyncedCluster, evidence: Evidence
) -> None:
    brought = [
        _identified("storage.k8s.io/v1", "StorageClass", "node-scratch"),
        _identified("monitoring.coreos.com/v1", "PodMonitor", "rack-power", "monitoring"),
        _identified("v1", "ConfigMap", "dashboard-rack-power", "monitoring"),
    ]
    for each in brought:
        cluster.admin.wait_for(each)
    # Not rolled back: the last test of this cluster.
    cluster.release(WITHOUT_MANIFESTS, lambda fields: fields["extensions"].pop("manifests"))
    cluster.admin.wait_until_gone(application("onprem-manifests"), 180)
    cluster.settle(WITHOUT_MANIFESTS)
    left = [each["metadata"]["name"] for each in brought if is_there(cluster.admin, each)]
    assert left == []
    evidence.show("A component that is removed leaves nothing behind.", f"0 of {len(brought)} left")


def is_there(admin: ApiClient, document: Document) -> bool:
    metadata = document["metadata"]
    found = admin.find(document["apiVersion"], document["kind"], metadata.get("namespace"))
    return metadata["name"] in {each["metadata"]["name"] for each in found}


def _identified(api_version: str, kind: str, name: str, namespace: str | None = None) -> Document:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}


def _image(deployment: Document) -> str:
    image: str = deployment["spec"]["template"]["spec"]["containers"][0]["image"]
    return image


def _needs_confirmation(document: Document) -> bool:
    resources = document.get("status", {}).get("resources", [])
    return "deletionTimestamp" in document["metadata"] and any(
        each.get("requiresDeletionConfirmation") for each in resources
    )
