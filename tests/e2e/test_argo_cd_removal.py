"""What a version drops goes, and a person is asked before volumes do."""

from __future__ import annotations

import pytest

from charts_py.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.api_client import ApiClient
from tests.e2e.argo_cd_applications import (
    PATIENCE_SECONDS,
    application,
    approve_removal,
    states,
    wait_until_settled,
)
from tests.e2e.argo_cd_cluster import SyncedCluster, cluster_fixture
from tests.e2e.evidence import Evidence

WITHOUT_ROBOTICS = "9.0.0-rc.1"
WITHOUT_NOTEBOOKS = "9.0.0-rc.2"
WITHOUT_MANIFESTS = "9.0.0-rc.3"

TEAM = "onprem-team-robotics"
OTHER_TEAM = "onprem-team-simulation"
LIVE = "onprem-live"


cluster = cluster_fixture("onprem")


@pytest.fixture
def live(platforms: dict[str, Platform]) -> str:
    return platforms["onprem"].live


def namespace(name: str) -> Document:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


ROBOTICS, NOTEBOOKS = namespace("robotics"), namespace("simulation-notebooks")


def drop_robotics(fields: Document) -> None:
    del fields["teams"]["robotics"]


def drop_notebooks(fields: Document) -> None:
    drop_robotics(fields)
    del fields["teams"]["simulation"]["namespaces"]["simulation-notebooks"]


def drop_manifests(fields: Document) -> None:
    drop_notebooks(fields)
    del fields["extensions"]["manifests"]


def waits_for_deletion(found: Document) -> bool:
    """Tell whether an Application that is deleted waits for a person to confirm it."""
    resources = found.get("status", {}).get("resources", [])
    asks = any(each.get("requiresDeletionConfirmation") for each in resources)
    return "deletionTimestamp" in found["metadata"] and asks


def waits_for_pruning(found: Document) -> bool:
    """Tell whether the sync of an Application waits for a person to confirm what it prunes."""
    operation = found.get("status", {}).get("operationState", {})
    message = f"waiting for pruning confirmation of /Namespace/{NOTEBOOKS['metadata']['name']}"
    return (operation.get("phase"), operation.get("message")) == ("Running", message)


def finds_no_difference(found: Document) -> bool:
    return bool(found.get("status", {}).get("sync", {}).get("status") == "Synced")


def let_go(admin: ApiClient, name: str) -> None:
    """Have an Application deleted without its objects, as docs/versions.md says."""
    admin.patch(application(name), {"metadata": {"finalizers": None}})
    admin.wait_until_gone(application(name), PATIENCE_SECONDS)


def test_a_removal_that_was_not_meant_is_taken_back(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin = cluster.admin
    before = admin.wait_for(ROBOTICS)["metadata"]["uid"]
    cluster.release(WITHOUT_ROBOTICS, drop_robotics)
    others = cluster.settle(WITHOUT_ROBOTICS)
    admin.wait_for(application(TEAM), waits_for_deletion, PATIENCE_SECONDS)
    let_go(admin, TEAM)
    cluster.go_live(live)
    components = cluster.components(live)
    path = components.pop(TEAM)
    wait_until_settled(admin, components)
    # All is as it is to be, so that this one has nothing to sync.
    admin.wait_for(application(TEAM), finds_no_difference, PATIENCE_SECONDS)
    assert states(admin)[TEAM].path == path
    after = admin.wait_for(ROBOTICS)
    assert (after["metadata"]["uid"], after["status"]["phase"]) == (before, "Active")
    evidence.show(
        "A team is removed last, and taken back as long as nobody has confirmed it.",
        f"the {len(others)} other Applications were synced; "
        "the version before took up the namespace robotics as it was",
    )


def test_a_removed_team_goes_once_a_person_has_confirmed_and_holds_nothing_until_then(
    cluster: SyncedCluster, evidence: Evidence
) -> None:
    admin = cluster.admin
    cluster.release(WITHOUT_ROBOTICS, drop_robotics)
    admin.wait_for(application(TEAM), waits_for_deletion, PATIENCE_SECONDS)
    cluster.release(WITHOUT_NOTEBOOKS, drop_notebooks)
    admin.wait_for(application(OTHER_TEAM), waits_for_pruning, PATIENCE_SECONDS)
    components = cluster.components(WITHOUT_NOTEBOOKS)
    del components[OTHER_TEAM]
    others = wait_until_settled(admin, components)
    for kept in (ROBOTICS, NOTEBOOKS):
        assert "deletionTimestamp" not in admin.wait_for(kept)["metadata"]
    for name in (TEAM, OTHER_TEAM):
        approve_removal(admin, name)
    for gone in (application(TEAM), ROBOTICS, NOTEBOOKS):
        admin.wait_until_gone(gone, PATIENCE_SECONDS)
    wait_until_settled(
        admin,
        {
            LIVE: f"dist/onprem/{WITHOUT_NOTEBOOKS}/argocd",
            **cluster.components(WITHOUT_NOTEBOOKS),
        },
    )
    evidence.show(
        "A removed team is pruned once a person has confirmed it, and a namespace that leaves its "
        "team; until then, a promotion is not held.",
        f"the {len(others)} other Applications were promoted while robotics and "
        "simulation-notebooks stayed until argocd.argoproj.io/deletion-approved was set",
    )


def test_a_component_that_is_removed_leaves_nothing_behind(
    cluster: SyncedCluster, evidence: Evidence
) -> None:
    brought = [
        ("storage.k8s.io/v1", "StorageClass", "node-scratch"),
        ("monitoring.coreos.com/v1", "PodMonitor", "rack-power"),
        ("v1", "ConfigMap", "dashboard-rack-power"),
    ]
    assert [is_there(cluster.admin, *each) for each in brought] == [True] * len(brought)
    # Not rolled back: the last test of this cluster.
    cluster.release(WITHOUT_MANIFESTS, drop_manifests)
    cluster.admin.wait_until_gone(application("onprem-manifests"), PATIENCE_SECONDS)
    cluster.settle(WITHOUT_MANIFESTS)
    assert [each for each in brought if is_there(cluster.admin, *each)] == []
    evidence.show(
        "A component that is removed leaves nothing behind, in namespaces that no other has, too.",
        f"0 of {len(brought)} left",
    )


def is_there(admin: ApiClient, api_version: str, kind: str, name: str) -> bool:
    return name in {each["metadata"]["name"] for each in admin.find(api_version, kind)}
