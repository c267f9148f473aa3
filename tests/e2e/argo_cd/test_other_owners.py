"""An object that somebody else owns, too: Argo CD's ConfigMap, where a Helm release has it."""

from http import HTTPStatus

import pytest

from charts_py.argocd.health import APPLICATION_KEY
from charts_py.objects.document import Document
from tests.e2e.argo_cd.applications import PATIENCE_SECONDS, refresh, states, wait_until_settled
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.argo_cd.running import NAMESPACE
from tests.e2e.control_plane.api_client import ApiClient, refusal
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest

pytestmark = pytest.mark.parametrize("cluster", ["onprem"], indirect=True)

WITH_BOOTSTRAP = "9.1.0-rc.1"
CONFIG = manifest("v1 ConfigMap", "argocd-cm", NAMESPACE)
HELM, ARGO_CD = "helm", "argocd-controller"
"""Field managers."""
OF_HELM = {APPLICATION_KEY: 'return {status = "Healthy"}\n', "url": "https://argocd.example.com"}
"""Another health check, and a key that the platform does not set."""
TRACKING = "argocd.argoproj.io/tracking-id"


def conflict_with(manager: str) -> str:
    return f'Apply failed with 1 conflict: conflict with "{manager}": .data.{APPLICATION_KEY}'


def health_checks(cluster: SyncedCluster, version: str) -> Document:
    """Return the keys of the ConfigMap that a version has."""
    folder = f"dist/{cluster.name}/{version}/argocd"
    data: Document = cluster.repository.document(f"{folder}/ConfigMap.argocd-cm.yaml")["data"]
    return data


def refused_for(admin: ApiClient, config: Document, manager: str) -> str:
    """Return what an apply without force is refused with; it must be a conflict."""
    error = refusal(admin.apply, config, fieldManager=manager)
    assert error is not None
    assert error.answer.status == HTTPStatus.CONFLICT
    return error.message


def test_an_apply_without_force_is_refused_and_names_the_owner(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin, ours = cluster.admin, health_checks(cluster, live)
    # Where Argo CD does not look.
    config = manifest("v1 ConfigMap", "argocd-cm", "default")
    admin.apply({**config, "data": OF_HELM}, fieldManager=HELM)
    told = refused_for(admin, {**config, "data": ours}, ARGO_CD)
    assert told == conflict_with(HELM)
    forced = admin.apply({**config, "data": ours}, fieldManager=ARGO_CD, force="true")
    assert forced.document["data"] == {**OF_HELM, **ours}
    admin.delete(config)
    evidence.show(
        "Applied server-side without force, a health check that a Helm release has set otherwise "
        "is refused, and the owner named; by force it is taken, and other keys stay.",
        f"409 `{told}`",
    )


def test_argo_cd_takes_its_health_checks_by_force(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin, ours = cluster.admin, health_checks(cluster, live)
    admin.apply({**CONFIG, "data": OF_HELM}, fieldManager=HELM, force="true")
    healed = {**OF_HELM, **ours}
    admin.wait_for(CONFIG, lambda found: bool(found["data"] == healed), PATIENCE_SECONDS)
    told = refused_for(admin, {**CONFIG, "data": OF_HELM}, HELM)
    assert told == conflict_with(ARGO_CD)
    evidence.show(
        "Argo CD takes a health check back that a Helm release has set otherwise, and leaves the "
        "other keys; Helm's next server-side apply without force is refused.",
        f"409 `{told}`",
    )


def test_with_bootstrap_argo_cd_leaves_its_config_alone(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin = cluster.admin
    cluster.release(WITH_BOOTSTRAP, with_bootstrap)
    cluster.settle(WITH_BOOTSTRAP)
    admin.apply({**CONFIG, "data": OF_HELM}, fieldManager=HELM, force="true")
    refresh(admin, ["onprem-root", "onprem-live"])
    found = admin.get("v1", "ConfigMap", "argocd-cm", NAMESPACE)
    assert found["data"].items() >= OF_HELM.items()
    before = states(admin)["onprem-live"]
    admin.patch(CONFIG, {"metadata": {"annotations": {TRACKING: None}}})
    after = wait_until_settled(admin, {"onprem-live": before.path})["onprem-live"]
    evidence.show(
        "With `gitops.argocdConfig: bootstrap`, Argo CD leaves its ConfigMap alone; one that it "
        "has synced before is out of sync as long as it carries the annotation by which it is "
        "tracked.",
        "a health check that a Helm release has set otherwise is the same after a hard refresh; "
        f"{before.sync}, then {after.sync}",
    )
    cluster.go_live(live)
    cluster.settle(live)


def with_bootstrap(fields: Document) -> None:
    fields.setdefault("gitops", {})["argocdConfig"] = "bootstrap"
