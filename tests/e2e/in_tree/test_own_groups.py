"""No pod of a team leaves the group by which the scheduler of its queue counts it."""

from collections.abc import Iterator

import pytest

from charts_py.components.kai_scheduler.api import GROUP
from charts_py.load import load_platform
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import granting, policies_of, rendered
from tests.e2e.control_plane.api_client import ApiClient, why_not
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import gpu_pod, gpu_pod_spec

NAMESPACE = "vision-training"
SAMPLE = SAMPLES / "kai.yaml"
COMPONENTS = ("priority-classes", "gpu-roles", "team-vision")
ACCOUNTS = ("system:serviceaccounts", "system:authenticated")
MEMBER = ("someone@example.com", "vision", "system:authenticated")
POD_GROUPER = ("system:serviceaccount:kai-scheduler:podgrouper", *ACCOUNTS)
OF_JOBS = ("system:serviceaccount:kube-system:job-controller", *ACCOUNTS)
GARBAGE_COLLECTOR = ("system:serviceaccount:kube-system:generic-garbage-collector", *ACCOUNTS)
OWNER = manifest("v1 ConfigMap", "train", NAMESPACE)
GPU = {"nvidia.com/gpu": 1}
GROUPED = {"pod-group-name": "pg-train"}
LEFT = {"metadata": {"annotations": {"pod-group-name": None}}}
MOVED = {"metadata": {"labels": {"kai.scheduler/subgroup-name": "none"}}}
LET_GO = {"metadata": {"ownerReferences": None}}
SKIPPED = {"metadata": {"annotations": {"kai.scheduler/skip-podgrouper": "true"}}}
RELABELLED = {"metadata": {"labels": {"example.com/own": "1"}}}


def _objects() -> list[Document]:
    """Return a team, the policies of its queues, and the rights of KAI's pod grouper."""
    platform = load_platform(SAMPLE, None)
    rules = [
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "patch", "update"]},
        {"apiGroups": [GROUP], "resources": ["podgroups"], "verbs": ["create", "update"]},
    ]
    grouper = granting("kai-podgrouper", rules, {"kind": "User", "name": POD_GROUPER[0]})
    return [*rendered(platform, *COMPONENTS), *policies_of(platform, "kai-queues"), *grouper]


def _pod(name: str, annotations: dict[str, str]) -> Document:
    return gpu_pod(name, NAMESPACE, GPU, cpu="1", priority="training", annotations=annotations)


def created(client: ApiClient, pod: Document) -> str:
    """Return why a new pod would be refused, or nothing."""
    return why_not(client.create, pod, dryRun="All").rpartition("denied request: ")[2]


def changed(client: ApiClient, pod: Document, change: Document) -> str:
    """Return why a change is refused, or nothing."""
    return why_not(client.patch, pod, change).rpartition("denied request: ")[2]


@pytest.fixture(scope="module")
def grouped(admin: ApiClient) -> Iterator[Document]:
    """A pod that KAI counts, with an owner."""
    pod = _pod("train", GROUPED)
    with applied(admin, _objects()):
        member = admin.impersonating(*MEMBER)
        once_seen(
            lambda: created(member, _pod("new", GROUPED)), lambda why: "with its group" in why
        )
        uid = admin.create(OWNER).document["metadata"]["uid"]
        owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "train", "uid": uid}
        pod["metadata"]["ownerReferences"] = [owner]
        admin.create(pod)
        yield pod


def test_members_of_a_team_leave_pods_in_their_groups(
    admin: ApiClient, grouped: Document, evidence: Evidence
) -> None:
    member = admin.impersonating(*MEMBER)
    kept = (
        "A pod is counted with its group (pod-group-name, kai.scheduler/skip-podgrouper, "
        "kai.scheduler/subgroup-name), which controllers of the scheduler set; leave it as it is, "
        "and out of templates."
    )
    owned = (
        "A pod is counted in a group that is gone with its owners; leave its "
        "metadata.ownerReferences."
    )
    found = [changed(member, grouped, each) for each in (LEFT, MOVED, LET_GO, RELABELLED)]
    assert found == [kept, kept, owned, ""]
    assert [created(member, _pod("new", each)) for each in ({}, GROUPED)] == ["", kept]
    evidence.show("No pod of a team leaves the group by which KAI counts it.", f"`{found[0]}`")


def test_what_controls_pods_makes_none_of_a_template_that_names_a_group(
    admin: ApiClient, grouped: Document
) -> None:
    of_jobs = admin.impersonating(*OF_JOBS)
    of_template = _pod("new", dict(grouped["metadata"]["annotations"]))
    assert created(of_jobs, _pod("new", {})) == ""
    assert created(of_jobs, of_template).startswith("A pod is counted with its group")


def test_the_scheduler_groups_pods_and_garbage_collection_lets_go_of_them(
    admin: ApiClient, grouped: Document
) -> None:
    grouper, collector = (admin.impersonating(*each) for each in (POD_GROUPER, GARBAGE_COLLECTOR))
    regrouped = {"metadata": {"annotations": {"pod-group-name": "pg-other"}}}
    assert [changed(grouper, grouped, each) for each in (MOVED, regrouped)] == ["", ""]
    assert changed(collector, grouped, LET_GO) == ""


def test_members_of_a_team_leave_jobs_under_their_owners(
    admin: ApiClient, grouped: Document
) -> None:
    template = {"spec": {**gpu_pod_spec(GPU, cpu="1"), "restartPolicy": "Never"}}
    spec = {"suspend": True, "template": template}
    owned_by_it = {"ownerReferences": grouped["metadata"]["ownerReferences"]}
    job = manifest("batch/v1 Job", "train", NAMESPACE, owned_by_it, spec=spec)
    admin.create(job)
    member, collector = (admin.impersonating(*each) for each in (MEMBER, GARBAGE_COLLECTOR))
    owned = (
        "KAI counts pods in a group that is gone with the topmost of their owners; leave "
        "metadata.ownerReferences."
    )
    skipped = "KAI would count the pods in no group; leave kai.scheduler/skip-podgrouper out."
    found = [changed(member, job, each) for each in (LET_GO, SKIPPED, RELABELLED)]
    assert found == [owned, skipped, ""]
    assert changed(collector, job, LET_GO) == ""
