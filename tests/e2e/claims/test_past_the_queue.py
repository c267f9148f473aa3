"""No pod and no job of a team starts past its queue, whatever the team writes on it."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from charts_py.objects.document import Document
from tests.e2e.claims.cluster import granting, load_claim_cluster, policies_of, queued, rendered
from tests.e2e.control_plane.api_client import JSON_PATCH, MERGE_PATCH, ApiClient, why_not
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import gpu_pod, gpu_pod_spec

NAMESPACE = "claims-training"
KUEUE = "kueue.x-k8s.io"
GROUP, COUNT = f"{KUEUE}/pod-group-name", f"{KUEUE}/pod-group-total-count"
ROLE_HASH, PARENT = f"{KUEUE}/role-hash", f"{KUEUE}/pod-suspending-parent"
PREBUILT, MANAGED = f"{KUEUE}/prebuilt-workload-name", f"{KUEUE}/managed"
GPU = {"nvidia.com/gpu": 1}
KNOWN = "system:authenticated"
ACCOUNTS = "system:serviceaccounts"
MEMBER = ("someone@example.com", "research", KNOWN)
TEAM_ACCOUNT = (f"system:serviceaccount:{NAMESPACE}:default", ACCOUNTS, KNOWN)
OF_REPLICA_SETS = ("system:serviceaccount:kube-system:replicaset-controller", ACCOUNTS, KNOWN)
GARBAGE_COLLECTOR = ("system:serviceaccount:kube-system:generic-garbage-collector", ACCOUNTS, KNOWN)
OF_KUEUE = ("system:serviceaccount:kueue-system:kueue-controller-manager", ACCOUNTS, KNOWN)
RBAC = "rbac.authorization.k8s.io"


pytestmark = pytest.mark.usefixtures("policies")


@pytest.fixture(scope="module")
def policies(admin: ApiClient) -> Iterator[None]:
    """The team, the policies of its queues, and what Kueue's chart and a team's account may do."""
    platform = queued(load_claim_cluster())
    team = [
        each
        for each in rendered(platform, "priority-classes", "gpu-roles", "team-research")
        if each["kind"] != "LocalQueue"
    ]
    with applied(admin, [*team, *granted(), *policies_of(platform, "kueue-queues")]):
        for each in (controlled_pod(), job(ownerReferences=owned_by("batch/v1", "Job"))):
            admin.impersonating(*MEMBER).wait_until_refused(each, "only controllers make such")
        yield


def granted() -> list[Document]:
    """Return Kueue's rights that count here, and those of a member for a team's account."""
    verbs = ["get", "patch", "update"]
    counted = {KUEUE: "workloads/status", "": "pods", "batch": "jobs"}
    of_kueue = [
        {"apiGroups": [group], "resources": [resource], "verbs": verbs}
        for group, resource in counted.items()
    ]
    role = {"apiGroup": RBAC, "kind": "ClusterRole", "name": "gpu-user"}
    account = [{"apiGroup": RBAC, "kind": "User", "name": TEAM_ACCOUNT[0]}]
    return [
        *granting("kueue-manager-role", of_kueue, {"kind": "User", "name": OF_KUEUE[0]}),
        manifest(
            f"{RBAC}/v1 RoleBinding", "team-account", NAMESPACE, roleRef=role, subjects=account
        ),
    ]


def owned_by(api_version: str, kind: str, *, controller: bool = True) -> list[Document]:
    uid = "3c8c2c2e-0a5f-4d0e-9a3f-7f4f3a0d8b11"
    owner = {"apiVersion": api_version, "kind": kind, "name": "owner", "uid": uid}
    return [{**owner, "controller": controller}]


def pod(gpus: Mapping[str, int] = GPU, **metadata: Any) -> Document:
    return gpu_pod("sent", NAMESPACE, gpus, cpu="1", priority="training", **metadata)


def controlled_pod(gpus: Mapping[str, int] = GPU) -> Document:
    return pod(gpus, ownerReferences=owned_by("batch/v1", "Job"))


def grouped(name: str = "group", **metadata: Any) -> Document:
    annotations = {COUNT: "2", **metadata.pop("annotations", {})}
    return pod(labels={GROUP: name}, annotations=annotations, **metadata)


@pytest.fixture
def waiting(admin: ApiClient) -> Iterator[Document]:
    """A pod as Kueue's webhook leaves it."""
    sent = pod(
        labels={MANAGED: "true"},
        annotations={ROLE_HASH: "5f3c"},
        finalizers=[MANAGED],
        ownerReferences=owned_by("apps/v1", "ReplicaSet"),
    )
    sent["spec"]["schedulingGates"] = [{"name": f"{KUEUE}/admission"}]
    admin.create(sent)
    yield sent
    # Its owner does not exist, so that it is gone as soon as nothing holds it.
    why_not(admin.patch, sent, {"metadata": {"finalizers": None}})


def work(kind: str, spec: Document, **metadata: Any) -> Document:
    template: Document = {
        "metadata": {"labels": {"app": "sent"}},
        "spec": gpu_pod_spec(GPU, cpu="1", priority="training"),
    }
    name = metadata.pop("name", "sent")
    return manifest(kind, name, NAMESPACE, metadata, spec={"template": template, **spec})


def job(**metadata: Any) -> Document:
    stated = {"suspend": True, "podReplacementPolicy": "Failed"}
    sent = work("batch/v1 Job", stated, **metadata)
    sent["spec"]["template"]["spec"]["restartPolicy"] = "Never"
    return sent


def stateful_set(**annotations: str) -> Document:
    selector = {"matchLabels": {"app": "sent"}}
    sent = work("apps/v1 StatefulSet", {"selector": selector, "serviceName": "sent"})
    sent["spec"]["template"]["metadata"]["annotations"] = annotations
    return sent


REFUSED = [
    (controlled_pod(), "only controllers make such"),
    (pod(ownerReferences=owned_by("v1", "Pod")), "only controllers make such"),
    (pod(annotations={PARENT: "leaderworkerset.x-k8s.io/leaderworkerset"}), PARENT),
    (grouped(annotations={ROLE_HASH: "5f3c"}), ROLE_HASH),
    # Whoever asks the API server to forget who set which field.
    (grouped(annotations={ROLE_HASH: "5f3c"}, managedFields=[{}]), ROLE_HASH),
    (grouped("statefulset-web-1f2e3"), GROUP),
    (pod(labels={PREBUILT: "statefulset-web-1f2e3"}), PREBUILT),
    (job(ownerReferences=owned_by("batch/v1", "Job")), "only controllers make such"),
    (job(annotations={PREBUILT: "statefulset-web-1f2e3"}), PREBUILT),
    (stateful_set(**{PARENT: "leaderworkerset.x-k8s.io/leaderworkerset"}), PARENT),
]
ADMITTED = [
    pod(),
    pod(ownerReferences=owned_by("batch/v1", "Job", controller=False)),
    pod(ownerReferences=owned_by("argoproj.io/v1alpha1", "Workflow")),
    # What Spark's driver makes of executors without GPUs, and `kubectl debug` of a pod.
    pod({}, ownerReferences=owned_by("v1", "Pod")),
    pod(annotations={ROLE_HASH: "5f3c"}),
    grouped(),
    job(),
    stateful_set(),
]
GATED, LEFT = "Kueue takes its scheduling gates off", "leave these labels and annotations"
CHANGES: list[tuple[str, object, str]] = [
    (MERGE_PATCH, {"spec": {"schedulingGates": None}}, GATED),
    (JSON_PATCH, [{"op": "remove", "path": "/spec/schedulingGates"}], GATED),
    (MERGE_PATCH, {"metadata": {"labels": {MANAGED: None}}}, LEFT),
    (MERGE_PATCH, {"metadata": {"labels": {GROUP: "statefulset-web-1f2e3"}}}, LEFT),
    (MERGE_PATCH, {"metadata": {"annotations": {ROLE_HASH: "main"}}}, LEFT),
    (MERGE_PATCH, {"metadata": {"finalizers": None}}, "takes the finalizer"),
    (MERGE_PATCH, {"metadata": {"ownerReferences": None}}, "leave its metadata.ownerReferences"),
    (MERGE_PATCH, {"metadata": {"labels": {"example.com/own": "1"}}}, ""),
    (MERGE_PATCH, {"metadata": {"labels": {f"{KUEUE}/priority-class": "batch"}}}, ""),
    (MERGE_PATCH, {"metadata": {"annotations": {f"{KUEUE}/retriable-in-group": "false"}}}, ""),
]


@pytest.mark.parametrize("user", [MEMBER, TEAM_ACCOUNT])
def test_nothing_that_a_team_writes_has_a_pod_start_uncounted(
    admin: ApiClient, evidence: Evidence, user: tuple[str, ...]
) -> None:
    team = admin.impersonating(*user)
    found = [why_not(team.create, each, dryRun="All") for each, _ in REFUSED]
    assert [words for _, words in REFUSED] == [
        words if words in why else why for why, (_, words) in zip(found, REFUSED, strict=True)
    ]
    admitted = [why_not(team.create, each, dryRun="All") for each in ADMITTED]
    assert admitted == ["" for _ in ADMITTED]
    evidence.show(
        f"Nothing that `{user[0]}` writes on a new pod or job has it start past its queue.",
        f"{len(REFUSED)} refused, such as `{found[3]}`; {len(ADMITTED)} without that admitted",
    )


def test_what_kueue_has_put_on_a_pod_only_kueue_takes_off(
    admin: ApiClient, evidence: Evidence, waiting: Document
) -> None:
    team, kueue = admin.impersonating(*MEMBER), admin.impersonating(*OF_KUEUE)
    suspended = job()
    admin.create(suspended)
    found = [why_not(team.patch, waiting, change, "", kind) for kind, change, _ in CHANGES]
    assert [words for *_, words in CHANGES] == [
        words if words and words in why else why
        for why, (*_, words) in zip(found, CHANGES, strict=True)
    ]
    start = {"spec": {"suspend": False}}
    assert "ends the suspension of a job" in why_not(team.patch, suspended, start)
    gates = {"spec": {"schedulingGates": None}, "metadata": {"finalizers": None}}
    assert why_not(kueue.patch, waiting, gates) == ""
    assert why_not(kueue.patch, suspended, start) == ""
    evidence.show(
        "Only Kueue takes its gates off a pod, and ends the suspension of a job.", f"`{found[0]}`"
    )


def test_no_pod_of_a_job_is_let_go_by_its_labels(admin: ApiClient, evidence: Evidence) -> None:
    uid = "batch.kubernetes.io/controller-uid"
    owner = job(name="owner")
    owner["spec"]["managedBy"] = "example.com/nobody"  # so that nothing happens to its pod
    made = admin.create(owner)
    owners = [
        {**each, "uid": made.document["metadata"]["uid"]} for each in owned_by("batch/v1", "Job")
    ]
    running = pod(labels={uid: "1"}, ownerReferences=owners)
    admin.create(running)
    team = admin.impersonating(*MEMBER)
    relabelled = why_not(team.patch, running, {"metadata": {"labels": {uid: "2"}}})
    assert "knows it by its labels" in relabelled
    evidence.show("No pod is let go by what Kueue counts it with, by other labels.", relabelled)
    why_not(admin.delete, running)
    admin.delete(owner)


def test_no_job_goes_without_its_pods(admin: ApiClient) -> None:
    suspended = job(name="kept")
    admin.create(suspended)
    team = admin.impersonating(*MEMBER)
    path = team.path_of(suspended)
    kept = why_not(team.request, "DELETE", path, {"propagationPolicy": "Orphan"})
    assert "no queue would count the pods that are left" in kept
    assert why_not(team.request, "DELETE", path, {"propagationPolicy": "Background"}) == ""


def test_no_stateful_set_of_a_leader_worker_set_goes_without_its_pods(admin: ApiClient) -> None:
    team = admin.impersonating(*MEMBER)
    of_another = stateful_set(**{PARENT: "leaderworkerset.x-k8s.io/leaderworkerset"})
    own = stateful_set()
    own["metadata"]["name"] = "own"
    refused = []
    for each in (of_another, own):
        each["spec"]["replicas"] = 0
        admin.create(each)
        path, orphaning = team.path_of(each), {"propagationPolicy": "Orphan"}
        refused.append(why_not(team.request, "DELETE", path, orphaning))
    assert "delete them with it" in refused[0]
    assert refused[1] == ""
    team.delete(of_another)


def test_controllers_make_pods_of_what_they_control(admin: ApiClient) -> None:
    replica_sets = admin.impersonating(*OF_REPLICA_SETS)
    controlled = pod(
        annotations={PARENT: "deployment"}, ownerReferences=owned_by("apps/v1", "ReplicaSet")
    )
    assert why_not(replica_sets.create, controlled, dryRun="All") == ""
    # Of what template it makes them, a team has written.
    forged = grouped(annotations={ROLE_HASH: "5f3c"})
    assert ROLE_HASH in why_not(replica_sets.create, forged, dryRun="All")


def test_garbage_collection_lets_go_of_pods(admin: ApiClient, waiting: Document) -> None:
    collector = admin.impersonating(*GARBAGE_COLLECTOR)
    assert why_not(collector.patch, waiting, {"metadata": {"ownerReferences": None}}) == ""
