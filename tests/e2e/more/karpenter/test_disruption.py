"""Karpenter packs inference on fewer nodes, and leaves those alone on which training runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.more.karpenter.cluster import ProvisionedCluster, is_true
from tests.e2e.polling import polls
from tests.e2e.releases.objects import empty
from tests.e2e.scheduling.placements import create_all
from tests.e2e.scheduling.team_pods import gpu_pod, gpu_pod_spec

TRAINING, TRAINING_POOL = "research-training", "h100"
INFERENCE, INFERENCE_POOL = "recommendations", "a100-mixed"
SLICE, PER_NODE = "nvidia.com/mig-3g.40gb", 8
SERVICES = 3
"""One less than the pool's nodes: only beside a node that stays warm is another one spare."""
CONSOLIDATION_SECONDS = 1500.0
"""Karpenter waits for as long as the NodePool says, 10 minutes, and then looks twice."""
DRIFT_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Work:
    """What runs before Karpenter looks for nodes to take away."""

    job: Document
    """The pod of a training job, on a node that seven other pods of its size would fit on."""
    claim: Document
    """The NodeClaim of that node."""
    inference: list[Document]
    """NodeClaims beyond the minimum, on which inference runs."""


@pytest.fixture(scope="module")
def work(cluster: ProvisionedCluster) -> Iterator[Work]:
    """Leave all nodes of inference and one of training nearly unused, and others idle."""
    for namespace in (TRAINING, INFERENCE):
        empty(cluster.client, namespace)
    job = _start_training(cluster)
    claims = _start_inference(cluster)
    (claim,) = (
        each
        for each in cluster.claims(TRAINING_POOL)
        if each["status"]["nodeName"] == job["spec"]["nodeName"]
    )
    yield Work(job, claim, claims)
    for namespace in (TRAINING, INFERENCE):
        empty(cluster.client, namespace)


def test_inference_moves_together_and_the_nodes_that_are_left_go(
    cluster: ProvisionedCluster, evidence: Evidence, work: Work
) -> None:
    names = {each["metadata"]["name"] for each in work.inference}
    told = _wait_for_underutilized(cluster, names)
    services = cluster.running_pods(INFERENCE, SERVICES)
    minimum = cluster.claims(f"{INFERENCE_POOL}.minimum")
    assert len(minimum) == cluster.platform.pool(INFERENCE_POOL).spec.nodes.min
    evidence.show(
        "Inference that uses little of its nodes moves together, and a node that is left goes.",
        f"{SERVICES} pods of 2 `{SLICE}`, each on a node of {PER_NODE}; after the "
        f"{_consolidate_after(cluster, INFERENCE_POOL)} of the NodePool: `{told}`; "
        f"{len(services)} of {SERVICES} run",
    )


def test_a_node_on_which_training_runs_is_not_packed(
    cluster: ProvisionedCluster, evidence: Evidence, work: Work
) -> None:
    told = cluster.wait_for_event(work.claim["metadata"]["name"], "consolidation policy")
    assert_runs_where_it_did(cluster, work)
    idle = cluster.claims(f"{TRAINING_POOL}.minimum")
    evidence.show(
        "A node on which training runs is not consolidated, however little of it is used.",
        f"1 of 8 GPUs in use, beside {len(idle)} idle nodes of the minimum: `{told}`",
    )


def test_nodes_that_are_not_as_their_pool_says_now_are_replaced_unless_training_runs_there(
    cluster: ProvisionedCluster, evidence: Evidence, work: Work
) -> None:
    served = {each["metadata"]["name"] for each in cluster.claims(INFERENCE_POOL)}
    for pool in (TRAINING_POOL, INFERENCE_POOL):
        _change_template(cluster.client, pool)
    drifted = cluster.client.wait_for(work.claim, lambda each: is_true(each, "Drifted"))
    _wait_until_replaced(cluster, served)
    assert_runs_where_it_did(cluster, work)
    told = cluster.wait_for_event(TRAINING_POOL, "reason Drifted due to blocking budget")
    (why,) = (each for each in drifted["status"]["conditions"] if each["type"] == "Drifted")
    evidence.show(
        "A NodePool that changes replaces its nodes, but none on which training runs.",
        f"label added to the templates of {INFERENCE_POOL} and {TRAINING_POOL}: nodes of the "
        f"first are replaced; that of the second is `{why['reason']}`, its pod runs on: `{told}`",
    )


def assert_runs_where_it_did(cluster: ProvisionedCluster, work: Work) -> None:
    """Compare the training pod and its node with what they were."""
    metadata = work.job["metadata"]
    pod = cluster.client.get("v1", "Pod", metadata["name"], metadata["namespace"])
    claim = cluster.client.wait_for(work.claim)
    node = cluster.node_of(claim)
    assert pod["metadata"]["uid"] == metadata["uid"]
    assert pod["spec"]["nodeName"] == work.job["spec"]["nodeName"]
    assert pod["status"]["phase"] == "Running"
    assert not any("deletionTimestamp" in each["metadata"] for each in (pod, claim, node))


def _start_training(cluster: ProvisionedCluster) -> Document:
    """Return the pod of a job of one GPU that came when all nodes of the minimum were taken."""
    full = cluster.platform.pool(TRAINING_POOL).spec.nodes.min
    fillers = [gpu_pod(f"filler-{n}", TRAINING, {"nvidia.com/gpu": 8}) for n in range(full)]
    for pod in fillers:
        pod["spec"]["nodeSelector"] = {"karpenter.sh/nodepool": f"{TRAINING_POOL}.minimum"}
    create_all(cluster.client, fillers)
    cluster.running_pods(TRAINING, full)
    spec = {**gpu_pod_spec({"nvidia.com/gpu": 1}), "restartPolicy": "Never"}
    metadata = {"name": "pretrain", "namespace": TRAINING}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata}
    cluster.client.create({**job, "spec": {"template": {"spec": spec}}})
    cluster.running_pods(TRAINING, full + 1)
    for pod in fillers:
        cluster.client.delete(pod)
    (pod,) = cluster.client.find("v1", "Pod", TRAINING, labelSelector="job-name=pretrain")
    return {"apiVersion": "v1", "kind": "Pod", **pod}


def _start_inference(cluster: ProvisionedCluster) -> list[Document]:
    """Return the NodeClaims beyond the minimum once a quarter of each node is in use."""
    filler, service = _deployment("filler", slices=6), _deployment("service", slices=2)
    for count, each in ((SERVICES, filler), (2 * SERVICES, service)):
        cluster.client.create(each)
        cluster.running_pods(INFERENCE, count)
    cluster.client.delete(filler)
    pods = cluster.running_pods(INFERENCE, SERVICES)
    used = {pod["spec"]["nodeName"] for pod in pods}
    assert len(used) == SERVICES
    claims = cluster.claims(INFERENCE_POOL)
    return [each for each in claims if each["status"]["nodeName"] in used]


def _deployment(name: str, slices: int) -> Document:
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": INFERENCE},
        "spec": {
            "replicas": SERVICES,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": gpu_pod_spec({SLICE: slices})},
        },
    }


def _wait_for_underutilized(cluster: ProvisionedCluster, names: set[str]) -> str:
    """Return what Karpenter says of the first of some NodeClaims that it takes away."""
    words = "Disrupting NodeClaim: Underutilized"
    for _ in polls(CONSOLIDATION_SECONDS):
        for event in cluster.client.find(
            "v1", "Event", fieldSelector="reason=DisruptionTerminating"
        ):
            if event["involvedObject"]["name"] in names and event["message"] == words:
                _wait_until_replaced(cluster, {event["involvedObject"]["name"]})
                return words
    raise TimeoutError(f"none of {names} is taken away after {CONSOLIDATION_SECONDS} s")


def _wait_until_replaced(cluster: ProvisionedCluster, names: set[str]) -> None:
    """Wait until one of the NodeClaims of inference is no more."""
    for _ in polls(DRIFT_SECONDS):
        if names - {each["metadata"]["name"] for each in cluster.claims(INFERENCE_POOL)}:
            return
    raise TimeoutError(f"{names} are all there after {DRIFT_SECONDS} s")


def _change_template(client: ApiClient, node_pool: str) -> None:
    found = client.get("karpenter.sh/v1", "NodePool", node_pool)
    labels = {"example.com/changed": "true"}
    client.patch(found, {"spec": {"template": {"metadata": {"labels": labels}}}})


def _consolidate_after(cluster: ProvisionedCluster, node_pool: str) -> str:
    found = cluster.client.get("karpenter.sh/v1", "NodePool", node_pool)
    return str(found["spec"]["disruption"]["consolidateAfter"])
