"""No pod of a team leaves the group by which the scheduler of its queue counts it."""

from collections.abc import Iterator

import pytest

from charts_py.components.kai_scheduler.api import GROUP
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import REPOSITORY
from tests.e2e.in_tree.policies import component
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import gpu_pod, gpu_pod_spec

NAMESPACE = "vision-training"
SAMPLE = REPOSITORY / "tests" / "charts_py" / "samples" / "kai.yaml"
COMPONENTS = ("priority-classes", "gpu-roles", "team-vision")
RBAC = "rbac.authorization.k8s.io"
ACCOUNTS = ("system:serviceaccounts", "system:authenticated")
MEMBER = ("someone@example.com", "vision", "system:authenticated")
POD_GROUPER = ("system:serviceaccount:kai-scheduler:podgrouper", *ACCOUNTS)
OF_JOBS = ("system:serviceaccount:kube-system:job-controller", *ACCOUNTS)
GARBAGE_COLLECTOR = ("system:serviceaccount:kube-system:generic-garbage-collector", *ACCOUNTS)
OWNER = object_of("v1", "ConfigMap", ObjectMeta("train", NAMESPACE), {})
GPU = {"nvidia.com/gpu": 1}
GROUPED = {"pod-group-name": "pg-train"}
LEFT = {"metadata": {"annotations": {"pod-group-name": None}}}
MOVED = {"metadata": {"labels": {"kai.scheduler/subgroup-name": "none"}}}
LET_GO = {"metadata": {"ownerReferences": None}}
SKIPPED = {"metadata": {"annotations": {"kai.scheduler/skip-podgrouper": "true"}}}
RELABELLED = {"metadata": {"labels": {"example.com/own": "1"}}}


def _granted() -> Iterator[Document]:
    """Yield the rights of KAI's pod grouper that count here."""
    rules = [
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "patch", "update"]},
        {"apiGroups": [GROUP], "resources": ["podgroups"], "verbs": ["create", "update"]},
    ]
    role = ObjectMeta("kai-podgrouper")
    yield object_of(f"{RBAC}/v1", "ClusterRole", role, {"rules": rules})
    reference = {"apiGroup": RBAC, "kind": "ClusterRole", "name": "kai-podgrouper"}
    subjects = [{"apiGroup": RBAC, "kind": "User", "name": POD_GROUPER[0]}]
    bound = {"roleRef": reference, "subjects": subjects}
    yield object_of(f"{RBAC}/v1", "ClusterRoleBinding", role, bound)


def _objects() -> Iterator[Document]:
    platform = load_platform(SAMPLE, None)
    for name in COMPONENTS:
        yield from component(platform, name)
    for each in component(platform, "kai-queues"):
        if each["kind"].startswith("ValidatingAdmissionPolicy"):
            yield each
    yield from _granted()


def _pod(name: str, annotations: dict[str, str]) -> Document:
    return gpu_pod(name, NAMESPACE, GPU, cpu="1", priority="training", annotations=annotations)


def created(client: ApiClient, pod: Document) -> str:
    """Return why a new pod would be refused, or nothing."""
    try:
        client.create(pod, dryRun="All")
    except ApiError as error:
        return error.message.rpartition("denied request: ")[2]
    return ""


def changed(client: ApiClient, pod: Document, change: Document) -> str:
    """Return why a change is refused, or nothing."""
    try:
        client.patch(pod, change)
    except ApiError as error:
        return error.message.rpartition("denied request: ")[2]
    return ""


@pytest.fixture(scope="module")
def grouped(admin: ApiClient) -> Iterator[Document]:
    """A pod that KAI counts, with an owner."""
    pod = _pod("train", GROUPED)
    with applied(admin, list(_objects())):
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
    job = object_of("batch/v1", "Job", ObjectMeta("train", NAMESPACE), {"spec": spec})
    job["metadata"]["ownerReferences"] = grouped["metadata"]["ownerReferences"]
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
