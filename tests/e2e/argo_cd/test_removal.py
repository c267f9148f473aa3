"""What a version drops goes, and a person is asked before volumes do."""

import shutil
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Change, PlannedObject, Verdict
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.comparison import PlacedDocuments, VersionReader
from tests.e2e.argo_cd.applications import (
    PATIENCE_SECONDS,
    ApplicationState,
    application,
    approve_removal,
    end_sync,
    states,
    wait_until_settled,
    waits_for_deletion,
    waits_for_pruning_of,
)
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.argo_cd.objects import Identity, objects_of
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import namespace

pytestmark = pytest.mark.parametrize("cluster", ["onprem"], indirect=True)

WITHOUT_ROBOTICS = "9.0.0-rc.1"
WITHOUT_NOTEBOOKS = "9.0.0-rc.2"
WITHOUT_BOTH = "9.0.0-rc.3"
WITHOUT_L40S = "9.0.0-rc.4"
OTHER_SHARING = "9.0.0-rc.5"
WITHOUT_MANIFESTS = "9.0.0-rc.6"
WITH_VISION = "9.0.0-rc.7"

ROBOTICS, NOTEBOOKS = "robotics", "simulation-notebooks"
TEAM = "onprem-team-robotics"
OTHER_TEAM = "onprem-team-simulation"
VISION, NEW_TEAM = "vision", "onprem-team-vision"
PROJECT = ("argoproj.io/v1alpha1", "AppProject", "onprem-platform", "argocd")
LIVE, POOLS = "onprem-live", "onprem-node-pools"
RULE = ("nfd.k8s-sigs.io/v1alpha1", "NodeFeatureRule")
L40S, DEV = (manifest(" ".join(RULE), pool) for pool in ("l40s", "h200-dev"))
KINDS = [
    ("v1", "Namespace"),
    ("v1", "LimitRange"),
    ("v1", "ResourceQuota"),
    ("networking.k8s.io/v1", "NetworkPolicy"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"),
]
"""What a team has."""


def objects_in(admin: ApiClient, name: str) -> dict[Identity, str]:
    """Return the platform's objects in a namespace, and itself, with their UIDs."""
    own = ("Namespace", "", name)
    found = objects_of(admin, KINDS).items()
    return {each: uid for each, uid in found if each == own or each[1] == name}


def removals(cluster: SyncedCluster, old: str, new: str) -> list[PlannedObject]:
    """Return what the plan says of the objects that a version has no more."""
    versions = cluster.repository.edited / "dist" / cluster.name
    before, after = (placed_in(versions / version) for version in (old, new))
    planned = planned_objects(before, after)
    return [each for each in planned if each.change is Change.REMOVED]


def placed_in(version: Path) -> PlacedDocuments:
    files = version.rglob("*.yaml")
    return VersionReader().objects_of(
        {str(file.relative_to(version)): file.read_bytes() for file in files}
    )


def held_namespaces(cluster: SyncedCluster, old: str, new: str) -> set[str]:
    """Return the namespaces that the plan calls dangerous to remove, and held."""
    return {
        each.placed.key.name
        for each in removals(cluster, old, new)
        if (each.placed.key.kind, each.verdict) == ("Namespace", Verdict.DANGEROUS) and each.is_held
    }


def add_vision(fields: Document) -> None:
    team = fields["teams"]["robotics"]
    quota = {"gpus": {"l40s": 0}, "cpu": 1, "memory": "1Gi", "storage": "1Gi"}
    namespaces = {VISION: {**team["namespaces"]["robotics"], "quota": quota}}
    fields["teams"][VISION] = {**team, "namespaces": namespaces}


def drop_robotics(fields: Document) -> None:
    del fields["teams"]["robotics"]


def drop_notebooks(fields: Document) -> None:
    del fields["teams"]["simulation"]["namespaces"]["simulation-notebooks"]


def drop_both(fields: Document) -> None:
    drop_robotics(fields)
    drop_notebooks(fields)


def drop_l40s(fields: Document) -> None:
    drop_both(fields)
    del fields["pools"]["l40s"]


def share_otherwise(fields: Document) -> None:
    drop_l40s(fields)
    fields["pools"]["h200-dev"]["sharing"]["timeSlicing"] = 2


def drop_manifests(fields: Document) -> None:
    share_otherwise(fields)
    del fields["extensions"]["manifests"]


def waits_for_pools(found: Document) -> bool:
    """Tell whether a version waits for the sync of one before, which nobody has confirmed."""
    message = f"waiting for healthy state of argoproj.io/Application/{POOLS}"
    return bool(found.get("status", {}).get("operationState", {}).get("message") == message)


def is_shared_by_two(rule: Document) -> bool:
    (labelled,) = rule["spec"]["rules"]
    return bool(labelled["labels"]["nvidia.com/device-plugin.config"].endswith("-2"))


waits_for_pruning = waits_for_pruning_of(namespace(NOTEBOOKS))


def follows(found: Document, path: str) -> bool:
    return bool(found["spec"]["source"]["path"] == path)


def settle_but(cluster: SyncedCluster, version: str, name: str) -> dict[str, ApplicationState]:
    """Wait until all components of a version but one are synced and healthy."""
    components = cluster.components(version)
    del components[name]
    return wait_until_settled(cluster.admin, components)


def let_go(admin: ApiClient, name: str) -> None:
    """Have an Application deleted without its objects, as docs/versions.md says."""
    admin.patch(application(name), {"metadata": {"finalizers": None}})
    admin.wait_until_gone(application(name), PATIENCE_SECONDS)


def test_a_team_whose_version_is_deleted_goes_as_well_once_a_person_has_confirmed(
    cluster: SyncedCluster, live: str
) -> None:
    """A revert deletes the folder, so that the AppProject allows no object in the namespace."""
    admin = cluster.admin
    cluster.release(WITH_VISION, add_vision)
    cluster.settle(WITH_VISION)
    before = objects_in(admin, VISION)
    shutil.rmtree(cluster.repository.edited / "dist" / cluster.name / WITH_VISION)
    cluster.go_live(live)
    admin.wait_for(application(NEW_TEAM), waits_for_deletion, PATIENCE_SECONDS)
    cluster.settle(live)
    allowed = {each["namespace"] for each in admin.get(*PROJECT)["spec"]["destinations"]}
    assert (VISION in allowed, objects_in(admin, VISION)) == (False, before)
    approve_removal(admin, NEW_TEAM)
    for gone in (application(NEW_TEAM), namespace(VISION)):
        admin.wait_until_gone(gone, PATIENCE_SECONDS)
    assert objects_in(admin, VISION) == {}


def test_a_removal_that_was_not_meant_is_taken_back(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin = cluster.admin
    before = objects_in(admin, ROBOTICS)
    cluster.release(WITHOUT_ROBOTICS, drop_robotics)
    others = cluster.settle(WITHOUT_ROBOTICS)
    assert held_namespaces(cluster, live, WITHOUT_ROBOTICS) == {ROBOTICS}
    admin.wait_for(application(TEAM), waits_for_deletion, PATIENCE_SECONDS)
    assert objects_in(admin, ROBOTICS) == before
    let_go(admin, TEAM)
    cluster.go_live(live)
    settled = cluster.settle(live)
    assert (objects_in(admin, ROBOTICS), settled[TEAM].phase) == (before, "")
    evidence.show(
        "A team is removed last, and taken back as long as nobody has confirmed it.",
        f"the {len(others)} other Applications were synced; "
        f"the version before took up the {len(before)} objects of robotics as they were",
    )


def test_a_namespace_that_leaves_its_team_is_taken_back(
    cluster: SyncedCluster, live: str, evidence: Evidence
) -> None:
    admin = cluster.admin
    before = objects_in(admin, NOTEBOOKS)
    cluster.release(WITHOUT_NOTEBOOKS, drop_notebooks)
    assert held_namespaces(cluster, live, WITHOUT_NOTEBOOKS) == {NOTEBOOKS}
    admin.wait_for(application(OTHER_TEAM), waits_for_pruning, PATIENCE_SECONDS)
    others = settle_but(cluster, WITHOUT_NOTEBOOKS, OTHER_TEAM)
    assert objects_in(admin, NOTEBOOKS) == before
    cluster.go_live(live)
    path = cluster.components(live)[OTHER_TEAM]
    # Ended before, it would start again with the version that asks.
    admin.wait_for(application(OTHER_TEAM), lambda found: follows(found, path), PATIENCE_SECONDS)
    end_sync(admin, OTHER_TEAM)
    settle_but(cluster, live, OTHER_TEAM)
    # It finds all as it is to be, and begins no other sync.
    kept = states(admin)[OTHER_TEAM]
    assert (kept.path, kept.sync, kept.health, kept.phase) == (path, "Synced", "Healthy", "Failed")
    assert objects_in(admin, NOTEBOOKS) == before
    evidence.show(
        "A namespace leaves its team last, and is taken back as long as nobody has confirmed it.",
        f"the {len(others)} other Applications were synced; the sync that waited was ended, and "
        f"the {len(before)} objects of simulation-notebooks, its quota among them, stayed as they "
        "were",
    )


def test_a_removed_team_goes_once_a_person_has_confirmed_and_holds_nothing_until_then(
    cluster: SyncedCluster, evidence: Evidence
) -> None:
    admin = cluster.admin
    before = [objects_in(admin, each) for each in (ROBOTICS, NOTEBOOKS)]
    cluster.release(WITHOUT_ROBOTICS, drop_robotics)
    admin.wait_for(application(TEAM), waits_for_deletion, PATIENCE_SECONDS)
    cluster.release(WITHOUT_BOTH, drop_both)
    admin.wait_for(application(OTHER_TEAM), waits_for_pruning, PATIENCE_SECONDS)
    others = settle_but(cluster, WITHOUT_BOTH, OTHER_TEAM)
    assert [objects_in(admin, each) for each in (ROBOTICS, NOTEBOOKS)] == before
    for name in (TEAM, OTHER_TEAM):
        approve_removal(admin, name)
    for gone in (application(TEAM), namespace(ROBOTICS), namespace(NOTEBOOKS)):
        admin.wait_until_gone(gone, PATIENCE_SECONDS)
    wait_until_settled(
        admin, {LIVE: f"dist/onprem/{WITHOUT_BOTH}/argocd", **cluster.components(WITHOUT_BOTH)}
    )
    evidence.show(
        "A removed team is pruned once a person has confirmed it, and a namespace that leaves its "
        "team; until then, a promotion is not held.",
        f"the {len(others)} other Applications were promoted while robotics and "
        "simulation-notebooks stayed until argocd.argoproj.io/deletion-approved was set",
    )


def test_a_removed_pool_stays_until_a_person_confirms_and_holds_the_next_version(
    cluster: SyncedCluster, evidence: Evidence
) -> None:
    admin = cluster.admin
    before = objects_of(admin, [RULE])
    cluster.release(WITHOUT_L40S, drop_l40s)
    gone = {each.placed.key.name: each for each in removals(cluster, WITHOUT_BOTH, WITHOUT_L40S)}
    assert (gone["l40s"].verdict, gone["l40s"].is_held) == (Verdict.DISRUPTIVE, True)
    admin.wait_for(application(POOLS), waits_for_pruning_of(L40S), PATIENCE_SECONDS)
    others = settle_but(cluster, WITHOUT_L40S, POOLS)
    cluster.release(OTHER_SHARING, share_otherwise)
    path = cluster.components(OTHER_SHARING)[POOLS]
    admin.wait_for(application(POOLS), lambda found: follows(found, path), PATIENCE_SECONDS)
    admin.wait_for(application(LIVE), waits_for_pools, PATIENCE_SECONDS)
    assert not is_shared_by_two(admin.get(*RULE, "h200-dev"))
    end_sync(admin, POOLS)
    admin.wait_for(DEV, is_shared_by_two, PATIENCE_SECONDS)
    admin.wait_for(application(POOLS), waits_for_pruning_of(L40S), PATIENCE_SECONDS)
    settle_but(cluster, OTHER_SHARING, POOLS)
    assert objects_of(admin, [RULE]) == before
    approve_removal(admin, POOLS)
    admin.wait_until_gone(L40S, PATIENCE_SECONDS)
    cluster.settle(OTHER_SHARING)
    left = {each: uid for each, uid in before.items() if each[2] != "l40s"}
    assert objects_of(admin, [RULE]) == left
    evidence.show(
        "A removed pool stays until a person confirms that it goes, and the next version waits "
        "with it; once that sync is ended, the next one is of that version, and asks again.",
        f"the {len(others)} other Applications were synced; of {len(before)} NodeFeatureRules, "
        "l40s went once argocd.argoproj.io/deletion-approved was set",
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
    planned = {
        each.placed.key: each for each in removals(cluster, OTHER_SHARING, WITHOUT_MANIFESTS)
    }
    gone = {(key.kind, key.name): each.is_held for key, each in planned.items()}
    assert gone.items() >= {((kind, name), False) for _, kind, name in brought}
    cluster.admin.wait_until_gone(application("onprem-manifests"), PATIENCE_SECONDS)
    cluster.settle(WITHOUT_MANIFESTS)
    assert [each for each in brought if is_there(cluster.admin, *each)] == []
    evidence.show(
        "A component that is removed leaves nothing behind, in namespaces that no other has, too.",
        f"0 of {len(brought)} left",
    )


def is_there(admin: ApiClient, api_version: str, kind: str, name: str) -> bool:
    return name in {each["metadata"]["name"] for each in admin.find(api_version, kind)}
