"""A Job of a team makes no pod in the place of one that still holds its GPUs."""

from collections.abc import Iterator

import pytest

from charts_py.load import load_platform
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import MERGE_PATCH, ApiClient, why_not
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.nodes import cpu_node, join, leave
from tests.e2e.scheduling.placements import PATIENCE_SECONDS, has_node

NAMESPACE = "research-training"
POLICY = "queued-jobs.gpuplane.io"
MEMBER = ("someone@example.com", "research", "system:authenticated")
EARLY, LATE = "TerminatingOrFailed", "Failed"
ENDING = {"gracePeriodSeconds": 600}


def job(name: str, namespace: str = NAMESPACE, **spec: object) -> Document:
    resources = {each: {"cpu": "1", "memory": "1Gi"} for each in ("requests", "limits")}
    context = {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "runAsNonRoot": True,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    container = {
        "name": "train",
        "image": "registry.example.com/train:1",
        "resources": resources,
        "securityContext": context,
    }
    pods = {"restartPolicy": "Never", "containers": [container]}
    stated = {"template": {"spec": pods}, **spec}
    return manifest("batch/v1 Job", name, namespace, spec=stated)


def policies(kind: str) -> list[Document]:
    components = ("priority-classes", "gpu-roles", "team-research", "kueue-queues")
    documents = rendered(load_platform(SAMPLES / "queues.yaml", None), *components)
    kueue = "kueue.x-k8s.io/"
    others = {"MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"} - {kind}
    return [
        each
        for each in documents
        if not each["apiVersion"].startswith(kueue)
        and each["kind"].removesuffix("Binding") not in others
    ]


def stated(client: ApiClient, sent: Document) -> str:
    made = client.create(sent, dryRun="All").document
    policy: str = made["spec"]["podReplacementPolicy"]
    return policy


@pytest.fixture
def node(admin: ApiClient) -> Iterator[Document]:
    """A node without a kubelet: a pod that is deleted there never ends."""
    node = cpu_node("pod-replacement")
    join(admin, node)
    yield node
    leave(admin, node)


def pods_of(admin: ApiClient, sent: Document) -> list[Document]:
    found = admin.find("v1", "Pod", sent["metadata"]["namespace"])
    return [{"apiVersion": "v1", "kind": "Pod", **each} for each in found]


def delete_pod_of(admin: ApiClient, sent: Document) -> None:
    """Make a Job, and delete its pod once it holds what it has asked a node for."""
    admin.create(sent)
    (pod,) = once_seen(lambda: pods_of(admin, sent), bool)
    admin.wait_for(pod, has_node, PATIENCE_SECONDS)
    admin.request("DELETE", admin.path_of(pod), ENDING)


def end(admin: ApiClient, sent: Document) -> None:
    admin.delete(sent)
    for each in pods_of(admin, sent):
        admin.request("DELETE", admin.path_of(each), {"gracePeriodSeconds": 0})


@pytest.mark.usefixtures("node")
def test_a_deleted_pod_is_replaced_once_it_has_ended(admin: ApiClient) -> None:
    queued, other = job("queued"), job("plain", "default")
    with applied(admin, policies("MutatingAdmissionPolicy")):
        team = admin.impersonating(*MEMBER)
        once_seen(lambda: stated(team, job("sent")), lambda found: found == LATE)
        assert stated(team, job("sent", podReplacementPolicy=EARLY)) == LATE
        for each in (queued, other):
            delete_pod_of(admin, each)
        # What Kubernetes does elsewhere: as many GPUs again for as long as the first pod ends.
        once_seen(lambda: pods_of(admin, other), lambda pods: len(pods) == 2)
        pods = pods_of(admin, queued)
        for each in (queued, other):
            end(admin, each)
    assert ["deletionTimestamp" in each["metadata"] for each in pods] == [True]


def test_a_job_that_nothing_has_fixed_is_refused(admin: ApiClient) -> None:
    with applied(admin, policies("ValidatingAdmissionPolicy")):
        team = admin.impersonating(*MEMBER)
        refused = team.wait_until_refused(job("sent"), POLICY)
        late = job("late", podReplacementPolicy=LATE, suspend=True)
        admin.create(late)
        early = {"spec": {"podReplacementPolicy": EARLY}}
        changed = why_not(team.patch, late, early, "", MERGE_PATCH)
    assert refused.message == (
        f"jobs.batch \"sent\" is forbidden: ValidatingAdmissionPolicy '{POLICY}' with binding "
        f"'{POLICY}' denied request: a pod that is deleted holds its GPUs until it has ended, and "
        "Kueue counts none for the one that a Job makes in its place before; set "
        "spec.podReplacementPolicy: Failed."
    )
    assert changed == refused.message.replace('"sent"', '"late"')
