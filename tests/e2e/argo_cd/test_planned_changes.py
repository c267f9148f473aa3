"""What Argo CD makes of a change is what the plan says of it."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import PlannedObject, Verdict
from tests.e2e.argo_cd.applications import (
    PATIENCE_SECONDS,
    application,
    approve_removal,
    end_sync,
    wait_until_settled,
)
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.argo_cd.planned_folder import COMPONENT, PlannedFolder
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.manifest import manifest, workload
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import definition
from tests.e2e.releases.objects import namespace

pytestmark = pytest.mark.parametrize("cluster", ["onprem"], indirect=True)

SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
OTHER = "planned-too"


def _with_option(option: str, document: Document) -> Document:
    made = copy.deepcopy(document)
    made["metadata"]["annotations"] = {SYNC_OPTIONS: option}
    return made


def _deployment(name: str, image: str = "example.com/main:1", **spec: object) -> Document:
    pods = {"containers": [{"name": "main", "image": image}]}
    return workload("apps/v1 Deployment", name, COMPONENT, pods, **{"replicas": 1, **spec})


ROBOTS, CRATES = (
    definition(f"planned.example.com/v1 {kind}", f"{kind.lower()}s", {"type": "object"})
    for kind in ("Robot", "Crate")
)
ROBOTS_NAME = ROBOTS["metadata"]["name"]
ROBOT = manifest("planned.example.com/v1 Robot", "made-by-hand", COMPONENT)
CRATE = manifest("planned.example.com/v1 Crate", "made-by-hand", "default")
CLAIM = manifest(
    "v1 PersistentVolumeClaim",
    "made-by-hand",
    OTHER,
    spec={
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "none",
        "resources": {"requests": {"storage": "1Gi"}},
    },
)
STORAGE = manifest("storage.k8s.io/v1 StorageClass", COMPONENT, provisioner="example.com/a")
OTHER_STORAGE = {**STORAGE, "provisioner": "example.com/b"}
HELD = _with_option("Prune=confirm", namespace(OTHER))
KEPT = _with_option("Delete=false", manifest("v1 ConfigMap", "not-deleted", "default"))
LEFT = _with_option("Prune=false", manifest("v1 ConfigMap", "not-pruned", COMPONENT))
SETTINGS = manifest("v1 ConfigMap", "settings", COMPONENT, data={"level": "1"})
STAYING = [namespace(COMPONENT), KEPT, CRATES, STORAGE]

FIRST = [
    *STAYING,
    HELD,
    LEFT,
    SETTINGS,
    ROBOTS,
    _deployment("changed-template"),
    _deployment("changed-strategy"),
    _deployment("fewer", replicas=2),
    _deployment("removed"),
]
SECOND = [
    *STAYING,
    HELD,
    {**SETTINGS, "data": {"level": "2"}},
    _deployment("changed-template", "example.com/main:2"),
    _deployment("changed-strategy", minReadySeconds=1, revisionHistoryLimit=3),
    _deployment("fewer", replicas=1),
]
THIRD = [
    {**each, "data": {"level": "3"}} if each["metadata"]["name"] == "settings" else each
    for each in SECOND
    if each is not HELD
]
REFUSED = [OTHER_STORAGE if each is STORAGE else each for each in THIRD]


@dataclass(frozen=True, slots=True)
class Synced:
    """The second version after the first, with what is seen of both."""

    folder: PlannedFolder
    planned: Mapping[str, PlannedObject]
    before: Mapping[str, set[str]]
    """UIDs of pods by their label."""
    left: list[str]
    """UIDs of what is not pruned."""


@pytest.fixture(scope="module")
def synced(cluster: SyncedCluster) -> Iterator[Synced]:
    admin = cluster.admin
    folder = PlannedFolder(admin, cluster.repository.served)
    folder.publish("first", FIRST)
    wait_until_settled(admin, {COMPONENT: folder.path("first")})
    for each in (ROBOT, CRATE, CLAIM):
        admin.create(each)
    before = _pods(admin)
    left = _left(admin)
    folder.publish("second", SECOND)
    _wait_until_synced(admin, folder.path("second"))
    yield Synced(folder, folder.planned(FIRST, SECOND), before, left)
    for each in (KEPT, ROBOTS, CRATES):
        admin.delete(each)


def _left(admin: ApiClient) -> list[str]:
    return [admin.wait_for(each)["metadata"]["uid"] for each in (LEFT, ROBOTS, ROBOT)]


def _pods(admin: ApiClient) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for each in admin.find("v1", "Pod", COMPONENT):
        found.setdefault(each["metadata"]["labels"]["app"], set()).add(each["metadata"]["uid"])
    return found


def _wait_until_synced(admin: ApiClient, path: str) -> None:
    """Wait until a folder is synced; what is not pruned keeps the Application OutOfSync."""

    def is_synced(found: Document) -> bool:
        operation = _operation(found)
        synced = operation.get("syncResult", {}).get("source", {}).get("path")
        health = found["status"]["health"]["status"]
        return (synced, operation.get("phase"), health) == (path, "Succeeded", "Healthy")

    admin.wait_for(application(COMPONENT), is_synced, PATIENCE_SECONDS)


def _operation(found: Document) -> Document:
    """Return the state of the last sync; it is empty as long as the next one is about to begin."""
    operation: Document = found.get("status", {}).get("operationState", {})
    return operation


def _pods_once(admin: ApiClient, name: str, count: int) -> set[str]:
    """Return the UIDs of the pods of a Deployment once there are so many."""
    return once_seen(
        lambda: _pods(admin).get(name, set()),
        lambda found: len(found) == count,
        f"{count} pods of {name}",
        PATIENCE_SECONDS,
    )


def test_every_verdict_of_these_changes_is_as_follows(synced: Synced) -> None:
    assert {name: each.verdict for name, each in synced.planned.items()} == {
        "ConfigMap/not-pruned": Verdict.SAFE,
        "ConfigMap/settings": Verdict.SAFE,
        f"CustomResourceDefinition/{ROBOTS_NAME}": Verdict.SAFE,
        "Deployment/changed-strategy": Verdict.SAFE,
        "Deployment/changed-template": Verdict.ROLLING,
        "Deployment/fewer": Verdict.ROLLING,
        "Deployment/removed": Verdict.DISRUPTIVE,
    }


def test_pods_are_replaced_by_a_rolling_change_of_their_template(
    cluster: SyncedCluster, synced: Synced
) -> None:
    after = _pods_once(cluster.admin, "changed-template", 1)
    assert after.isdisjoint(synced.before["changed-template"])


def test_a_rolling_change_of_replicas_touches_no_other_pod(
    cluster: SyncedCluster, synced: Synced
) -> None:
    assert _pods_once(cluster.admin, "fewer", 1) < synced.before["fewer"]


def test_pods_stay_where_a_change_of_their_deployment_is_safe(
    cluster: SyncedCluster, synced: Synced
) -> None:
    found = cluster.admin.get("apps/v1", "Deployment", "changed-strategy", COMPONENT)
    assert (found["spec"]["minReadySeconds"], found["status"]["observedGeneration"]) == (1, 2)
    assert _pods(cluster.admin)["changed-strategy"] == synced.before["changed-strategy"]


def test_pods_go_with_a_deployment_whose_removal_is_disruptive(
    cluster: SyncedCluster, synced: Synced
) -> None:
    assert len(synced.before["removed"]) == 1
    assert _pods_once(cluster.admin, "removed", 0) == set()


@pytest.mark.parametrize("name", ["ConfigMap/not-pruned", f"{ROBOTS['kind']}/{ROBOTS_NAME}"])
def test_what_is_safe_since_it_is_not_pruned_stays(
    cluster: SyncedCluster, synced: Synced, name: str
) -> None:
    assert synced.planned[name].effects[0].reason.startswith("It stays")
    assert synced.left == _left(cluster.admin)


def test_a_namespace_that_is_held_goes_with_all_in_it_once_a_person_has_confirmed(
    cluster: SyncedCluster, synced: Synced
) -> None:
    admin, folder = cluster.admin, synced.folder
    planned = folder.planned(SECOND, THIRD)
    assert [(name, each.verdict, each.is_held) for name, each in planned.items()] == [
        ("ConfigMap/settings", Verdict.SAFE, False),
        (f"Namespace/{OTHER}", Verdict.DANGEROUS, True),
    ]
    assert "and with all else of its Application" in planned[f"Namespace/{OTHER}"].effects[0].reason
    folder.publish("third", THIRD)
    admin.wait_for(application(COMPONENT), _waits_for_a_person, PATIENCE_SECONDS)
    assert admin.wait_for(HELD)["status"]["phase"] == "Active"
    assert admin.wait_for(SETTINGS)["data"] == {"level": "2"}
    approve_removal(admin, COMPONENT)
    admin.wait_until_gone(HELD, PATIENCE_SECONDS)
    admin.wait_until_gone(CLAIM)
    _wait_until_synced(admin, folder.path("third"))
    assert admin.wait_for(SETTINGS)["data"] == {"level": "3"}


def _waits_for_a_person(found: Document) -> bool:
    operation = _operation(found)
    message = f"waiting for pruning confirmation of /Namespace/{OTHER}"
    return (operation.get("phase"), operation.get("message")) == ("Running", message)


def test_a_sync_fails_by_what_is_immutable_until_it_is_taken_back(
    cluster: SyncedCluster, synced: Synced
) -> None:
    admin, folder = cluster.admin, synced.folder
    (planned,) = folder.planned(THIRD, REFUSED).values()
    assert planned.verdict is Verdict.IMMUTABLE
    folder.publish("refused", REFUSED)
    admin.wait_for(application(COMPONENT), _is_refused, PATIENCE_SECONDS)
    assert admin.wait_for(STORAGE)["provisioner"] == STORAGE["provisioner"]
    folder.publish("taken-back", THIRD)
    path = folder.path("taken-back")
    admin.wait_for(application(COMPONENT), lambda found: _follows(found, path), PATIENCE_SECONDS)
    # Otherwise it tries what was refused five times more.
    end_sync(admin, COMPONENT)
    _wait_until_synced(admin, path)


def _follows(found: Document, path: str) -> bool:
    return bool(found["status"]["sync"]["comparedTo"]["source"]["path"] == path)


def _is_refused(found: Document) -> bool:
    message: str = _operation(found).get("message", "")
    return "provisioner: Invalid value" in message and "field is immutable" in message


def test_definitions_and_what_is_kept_stay_when_their_application_goes(
    cluster: SyncedCluster, synced: Synced
) -> None:
    admin = cluster.admin
    planned = synced.folder.planned(THIRD, None)
    stays = {name for name, each in planned.items() if "It stays" in each.effects[0].reason}
    definition = f"CustomResourceDefinition/{CRATES['metadata']['name']}"
    assert stays == {"ConfigMap/not-deleted", definition}
    assert planned[f"Namespace/{COMPONENT}"].verdict is Verdict.DANGEROUS
    kept = [admin.wait_for(each)["metadata"]["uid"] for each in (KEPT, CRATES, CRATE)]
    admin.delete(application(COMPONENT))
    for each in (application(COMPONENT), namespace(COMPONENT), STORAGE):
        admin.wait_until_gone(each, PATIENCE_SECONDS)
    assert [admin.wait_for(each)["metadata"]["uid"] for each in (KEPT, CRATES, CRATE)] == kept
