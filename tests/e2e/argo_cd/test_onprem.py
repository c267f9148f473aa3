from http import HTTPStatus

import pytest

from charts_py.argocd.application import API_VERSION
from charts_py.objects.document import Document
from tests.e2e.argo_cd.applications import (
    PATIENCE_SECONDS,
    changed_in_order,
    refresh,
    states,
    wait_until_settled,
)
from tests.e2e.argo_cd.cluster import HELD, SyncedCluster
from tests.e2e.argo_cd.reports import with_writers
from tests.e2e.argo_cd.running import NAMESPACE
from tests.e2e.control_plane.api_client import JSON_PATCH
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest

pytestmark = pytest.mark.parametrize("cluster", ["onprem"], indirect=True)


def test_every_component_is_synced_and_healthy(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    settled = cluster.settle(live)
    missing = cluster.repository.charts_missing("onprem", live)
    assert missing == ["onprem-amd-gpu-operator (no chart node-feature-discovery v0.18.3)"]
    assert [state.culprits for state in settled.values() if state.culprits] == []
    evidence.show(
        "Argo CD syncs every component of the cluster onprem whose charts are at hand.",
        f"{len(settled)} Applications Synced and Healthy; left out: {', '.join(missing)}",
    )
    evidence.show(
        "Health that needs what cannot run here is reported in its place (onprem).",
        with_writers(cluster.reports.kinds),
    )


def test_a_wave_waits_for_the_health_of_the_wave_before(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    waves = {name: states(cluster.admin)[name].wave for name in cluster.components(live)}
    operators = waves["onprem-gpu-operator"]
    before = {name for name, wave in waves.items() if wave <= operators}
    assert cluster.held_message.startswith(f"{HELD}onprem-")
    assert set(cluster.held) == {"onprem-root", "onprem-live", *before}
    log = changed_in_order(cluster.audit_log, ["applications"], HTTPStatus.CREATED)
    created = [name for _, _, name in log if name in waves]
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
        f"{len(after)} Applications compared again, 0 OutOfSync, 0 synced again",
    )


QUOTA = ("v1", "ResourceQuota", "quota", "simulation")
BINDING = ("rbac.authorization.k8s.io/v1", "RoleBinding", "gpu-user", "simulation")
OPERATOR = ("apps/v1", "Deployment", "gpu-operator", "gpu-operator")


def test_a_change_by_hand_is_healed(cluster: SyncedCluster, live: str, evidence: Evidence) -> None:
    admin = cluster.admin
    cluster.settle(live)
    quota, binding, operator = (
        manifest(f"{api_version} {kind}", name, place)
        for api_version, kind, name, place in (QUOTA, BINDING, OPERATOR)
    )
    hard = admin.get(*QUOTA)["spec"]["hard"]
    image = admin.get(*OPERATOR)["spec"]["template"]["spec"]["containers"][0]["image"]
    subjects = admin.get(*BINDING)["subjects"]

    admin.patch(quota, {"spec": {"hard": {"requests.nvidia.com/gpu": "1000"}}})
    admin.delete(binding)
    change = [{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "other"}]
    admin.patch(operator, change, content_type=JSON_PATCH)

    admin.wait_for(quota, lambda found: bool(found["spec"]["hard"] == hard), PATIENCE_SECONDS)
    admin.wait_for(binding, lambda found: bool(found["subjects"] == subjects), PATIENCE_SECONDS)
    admin.wait_for(operator, lambda found: _image(found) == image, PATIENCE_SECONDS)
    cluster.settle(live)
    evidence.show(
        "What is changed by hand is healed.",
        "a quota raised, a RoleBinding deleted and an operator's image changed: all 3 restored",
    )


def _image(deployment: Document) -> str:
    image: str = deployment["spec"]["template"]["spec"]["containers"][0]["image"]
    return image
