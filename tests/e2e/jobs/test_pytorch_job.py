"""Jobs of the real training operator, on the cluster of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.workloads.asked import NO_CHECKPOINT, Asked
from gpuplane.workloads.workload import new_workload
from gpus.platform_names import FIXED
from tests.e2e.claims.cluster import write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.jobs.training_operator import running_training_operator
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import pinned_files
from tests.e2e.releases.objects import applied, empty, read_release
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import bound_pods, is_ending, placements, report_until
from tests.e2e.webhook.registration import ServeWebhook

CLUSTER = Path(__file__).parent / "jobs.yaml"
"""It shares nothing with a fleet."""
FIRST = "vision-training"
SECOND = "search-batch"
TEAMS = ("team-vision", "team-search")
IMAGE = "registry.example.com/team/train:1.0.0"
BY_HAND = Path(__file__).parent / "pytorch_job.yaml"
"""A job with a master, for which its worker waits, each on a node of its own."""


@pytest.fixture(scope="module")
def cluster(
    control_plane: ControlPlane,
    serve_webhook: ServeWebhook,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Platform]:
    """Two nodes, the teams, what admits their pods, and the operator that makes them."""
    platform = load_platform(CLUSTER, None)
    release, folder = (tmp_path_factory.mktemp(name) for name in ("release", "operator"))
    nodes = nodes_of(platform, "h100", 2)
    objects = read_release(write_release(platform, release), "priority-classes", *TEAMS)
    mirror = pinned_files()
    with (
        joined(control_plane.admin, *nodes),
        serve_webhook(release),
        applied(control_plane.admin, objects),
        running_training_operator(control_plane, release, mirror, folder, component_logs),
    ):
        yield platform


@pytest.fixture
def job(cluster: Platform, admin: ApiClient) -> Iterator[Document]:
    """A job of the team with the lower priority, as `gpuplane new` prints it, on both nodes."""
    (team,) = (each.team_name for each in cluster.namespaces if each.name == SECOND)
    asked = Asked(
        kind="pytorchjob",
        name="batch-job",
        team=team,
        namespace=SECOND,
        nodes=2,
        image=IMAGE,
        priority="batch",
        checkpoint=NO_CHECKPOINT,  # no provisioner of volumes is here
    )
    (job,) = new_workload(asked, cluster).documents
    admin.create(job)
    assert {each.node for each in placements(admin, SECOND, 2)} == {"jobs-h100-0", "jobs-h100-1"}
    yield job
    _end(admin, job)


def _end(client: ApiClient, job: Document) -> None:
    client.delete(job)
    client.wait_until_gone(job)
    empty(client, job["metadata"]["namespace"])


def _has(job: Document, condition: str) -> bool:
    return any(
        each["type"] == condition and each["status"] == "True"
        for each in job.get("status", {}).get("conditions", ())
    )


def test_the_pods_of_a_job_are_admitted_as_they_are_and_it_finishes(
    admin: ApiClient, evidence: Evidence, job: Document
) -> None:
    report_until(admin, job, "Running", lambda found: _has(found, "Running"))
    pods = admin.find("v1", "Pod", SECOND)
    fixed = [pod["metadata"]["name"] for pod in pods if FIXED in pod["metadata"]["annotations"]]
    assert fixed == []
    # The first worker that is done ends the job: all ranks end together.
    report_until(admin, job, "Succeeded", lambda found: _has(found, "Succeeded"))
    evidence.show(
        "The training operator runs the PyTorchJob that `gpuplane new` prints; admission leaves "
        "its pods as they are.",
        f"{len(pods)} pods on {len(pods)} nodes, none fixed; the job is Succeeded",
    )


@pytest.mark.usefixtures("job")
def test_a_job_of_higher_priority_takes_the_nodes_of_another_team(
    cluster: Platform, admin: ApiClient, evidence: Evidence
) -> None:
    (rival,) = from_yaml(BY_HAND.read_text(encoding="utf-8"))
    rival["metadata"] = {"name": "training-job", "namespace": FIRST}
    for replica in rival["spec"]["pytorchReplicaSpecs"].values():
        labels = dict(policy_settings(cluster).namespaces[FIRST].labels)
        replica["template"]["metadata"] = {"labels": labels}
        replica["template"]["spec"]["priorityClassName"] = "training"
    admin.create(rival)
    try:
        _end_victims(admin, SECOND, 2)
        placed = {pod["spec"]["nodeName"] for pod in bound_pods(admin, FIRST, 2)}
        waiting = [each for each in placements(admin, SECOND, 2) if each.node is None]
        _has_a_worker_that_waits(admin)
    finally:
        _end(admin, rival)
    assert (placed, len(waiting)) == ({"jobs-h100-0", "jobs-h100-1"}, 2)
    evidence.show(
        "A PyTorchJob of a higher priority takes the GPUs of another team's.",
        f"2 of 2 pods of batch gave way to training; the operator made {len(waiting)} anew, "
        "which wait",
    )


def _has_a_worker_that_waits(client: ApiClient) -> None:
    """Its init container is of the level that namespaces enforce, and not fixed either."""
    pods = client.find("v1", "Pod", FIRST)
    (worker,) = (pod for pod in pods if pod["spec"].get("initContainers"))
    (waiting,) = worker["spec"]["initContainers"]
    assert (waiting["name"], waiting["securityContext"]["runAsNonRoot"]) == ("init-pytorch", True)
    assert not any(FIXED in pod["metadata"].get("annotations", {}) for pod in pods)


def _end_victims(client: ApiClient, namespace: str, count: int) -> None:
    """End the pods that give way, as the kubelet does once their containers have ended."""
    ended = set()

    def end() -> set[str]:
        for pod in filter(is_ending, client.find("v1", "Pod", namespace)):
            ended.add(pod["metadata"]["uid"])
            client.delete({"apiVersion": "v1", "kind": "Pod", **pod})
        return ended

    once_seen(end, lambda uids: len(uids) == count, f"{count} pods in {namespace} gave way")
