"""Queues are switched on and off again: Kueue is there as long as an object of it is.

Kueue itself does not run here. What it does to its objects the tests do in its place: it keeps them
by a finalizer, and takes that off once no job has a part of them. An operator without such objects
is gone before its namespace goes, too.
"""

from charts_py.components.jobset import NAMESPACE as JOBSET_NAMESPACE
from charts_py.components.kueue.api import API_VERSION, GROUP
from charts_py.components.kueue.definition import KUEUE_NAMESPACE
from charts_py.objects.document import Document
from tests.e2e.argo_cd.applications import (
    PATIENCE_SECONDS,
    application,
    changed_in_order,
    refresh,
    states,
)
from tests.e2e.argo_cd.cluster import SyncedCluster
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import namespace
from tests.e2e.scheduling.placements import is_ending

FIRST, WITH_QUEUES, WITHOUT = "0.1.0-rc.1", "0.2.0-rc.1", "0.3.0-rc.1"
WITH_JOBSET, WITHOUT_JOBSET = "0.4.0-rc.1", "0.5.0-rc.1"
LIVE = "training-live"
NAMESPACE, KUEUE, QUEUES = "training-kueue-namespace", "training-kueue", "training-kueue-queues"
JOBSET = "training-jobset"
FINALIZER = f"{GROUP}/resource-in-use"
KEPT = ("ClusterQueue", "ResourceFlavor")
"""Kinds that Kueue keeps, in the order in which it lets them go."""
KINDS = (*KEPT, "Cohort", "LocalQueue", "WorkloadPriorityClass")
"""Kinds of which the platform has objects. Argo CD deletes no CustomResourceDefinition."""
DEPLOYMENT = manifest("apps/v1 Deployment", "kueue-controller-manager", KUEUE_NAMESPACE)


def with_queues(fields: Document) -> None:
    fields["queues"] = {}


def without_queues(fields: Document) -> None:
    fields.pop("queues", None)


def kept(admin: ApiClient) -> list[Document]:
    """Return the objects that Kueue keeps, those first that it lets go first."""
    return [
        {"apiVersion": API_VERSION, "kind": kind, **each}
        for kind in KEPT
        for each in admin.find(API_VERSION, kind)
    ]


def message_of(found: Document) -> str:
    """Return what an Application says of its sync."""
    message: str = found["status"]["operationState"]["message"]
    return message


def waits_for_queues(found: Document) -> bool:
    return message_of(found) == f"waiting for deletion of argoproj.io/Application/{QUEUES}"


def test_queues_are_switched_on(generated: SyncedCluster, evidence: Evidence) -> None:
    before = generated.settle(FIRST)
    generated.release(WITH_QUEUES, with_queues)
    settled = generated.settle(WITH_QUEUES)
    assert set(settled) - set(before) == {NAMESPACE, KUEUE, QUEUES}
    admin = generated.admin
    for each in kept(admin):
        admin.patch(each, {"metadata": {"finalizers": [FINALIZER]}})
    refresh(admin, settled)
    assert {name: states(admin)[name] for name in settled} == settled
    evidence.show(
        "Queues are switched on in a cluster that had none, and a hard refresh finds no drift in "
        "objects that Kueue has put its finalizer on.",
        f"{len(settled)} Applications Synced and Healthy, {len(kept(admin))} objects with the "
        f"finalizer {FINALIZER}",
    )


def test_kueue_is_there_until_the_last_of_its_queues_is_gone(
    generated: SyncedCluster, evidence: Evidence
) -> None:
    admin = generated.admin
    queues = kept(admin)
    generated.release(WITHOUT, without_queues)
    for each in queues:
        admin.wait_for(each, is_ending, PATIENCE_SECONDS)
    held = admin.wait_for(application(LIVE), waits_for_queues, PATIENCE_SECONDS)
    for each in queues:
        kueue = [admin.wait_for(one) for one in (application(KUEUE), DEPLOYMENT)]
        assert [one["metadata"]["name"] for one in kueue if is_ending(one)] == []
        admin.patch(each, {"metadata": {"finalizers": None}})
    for gone in (application(QUEUES), application(KUEUE), namespace(KUEUE_NAMESPACE)):
        admin.wait_until_gone(gone, PATIENCE_SECONDS)
    generated.settle(WITHOUT)
    left = [each for kind in KINDS for each in admin.find(API_VERSION, kind)]
    assert left == []
    evidence.show(
        "Without `queues`, Kueue is removed once the last of its queues is gone, and its namespace "
        "after it; its kinds stay, without an object of the platform.",
        f"{message_of(held)}: the Deployment of Kueue was there as long as one of {len(queues)} "
        f"objects had its finalizer; 0 objects of {len(KINDS)} kinds were left",
    )


def test_an_operator_is_gone_before_its_namespace_goes(generated: SyncedCluster) -> None:
    admin = generated.admin
    generated.release(WITH_JOBSET, with_jobset)
    generated.settle(WITH_JOBSET)
    generated.release(WITHOUT_JOBSET, without_jobset)
    for gone in (application(JOBSET), namespace(JOBSET_NAMESPACE)):
        admin.wait_until_gone(gone, PATIENCE_SECONDS)
    changed = changed_in_order(generated.audit_log, ("applications", "namespaces"))
    last_of_jobset = max(
        at for at, each in enumerate(changed) if each[1:] == ("applications", JOBSET)
    )
    assert last_of_jobset < changed.index(("delete", "namespaces", JOBSET_NAMESPACE))


def with_jobset(fields: Document) -> None:
    without_queues(fields)
    fields["training"] = {"jobSet": {}}


def without_jobset(fields: Document) -> None:
    without_queues(fields)
    fields.pop("training", None)
