"""Karpenter packs inference on fewer nodes, and leaves those alone on which training runs."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import PlannedObject, Verdict
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest, workload
from tests.e2e.more.karpenter.cluster import ProvisionedCluster, is_true
from tests.e2e.plan.changes import plan_of, stated
from tests.e2e.polling import polls
from tests.e2e.releases.objects import empty, read_release
from tests.e2e.scheduling.gpu_pods import gpu_pod, gpu_pod_spec
from tests.e2e.scheduling.placements import create_all, is_ending

TRAINING, TRAINING_POOL = "research-training", "h100"
INFERENCE, INFERENCE_POOL = "recommendations", "a100-mixed"
SLICE, PER_NODE = "nvidia.com/mig-3g.40gb", 8
SERVICES = 3
"""As many as the nodes that the pool may have beyond its minimum."""
CONSOLIDATION_SECONDS = 1500.0
"""Karpenter waits for as long as the NodePool says, 10 minutes, and then looks twice."""
DRIFT_SECONDS = 300.0
CHANGED = {"example.com/changed": "true"}
"""A label that the templates have in the end, and not in the beginning."""
_TAKEN_AWAY = "reason=DisruptionTerminating"


@dataclass(frozen=True, slots=True)
class Work:
    """What runs before Karpenter looks for nodes to take away."""

    job: Document
    """The pod of a training job, on a node that seven other pods of its size would fit on."""
    claim: Document
    """The NodeClaim of that node."""
    inference: list[Document]
    """NodeClaims beyond the minimum: on the node of each runs one pod of inference."""


@pytest.fixture(scope="module")
def work(cluster: ProvisionedCluster, release: Path) -> Iterator[Work]:
    """Leave all nodes of inference and one of training nearly unused, and others idle."""
    for namespace in (TRAINING, INFERENCE):
        empty(cluster.client, namespace)
    with _no_warm_nodes(cluster, release):
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


def test_inference_without_warm_nodes_moves_together_and_the_node_that_is_left_goes(
    cluster: ProvisionedCluster, evidence: Evidence, work: Work
) -> None:
    told = _wait_until_one_goes(cluster, work.inference, "Underutilized", CONSOLIDATION_SECONDS)
    nodes = _serving_nodes(cluster)
    assert nodes < _nodes(work.inference)
    assert nodes == _nodes(cluster.claims(INFERENCE_POOL))
    evidence.show(
        "Inference that uses little of its nodes moves together where none is kept warm, and a "
        "node that is left goes.",
        f"{SERVICES} pods of 2 `{SLICE}`, each on a node of {PER_NODE}; after the "
        f"{_consolidate_after(cluster, INFERENCE_POOL)} of the NodePool: `{told}`; "
        f"{SERVICES} pods run on {len(nodes)} of these nodes, and no other is there",
    )


def test_a_node_on_which_training_runs_is_not_packed(
    cluster: ProvisionedCluster, evidence: Evidence, work: Work
) -> None:
    told = cluster.wait_for_event(work.claim["metadata"]["name"], "consolidation policy")
    assert_runs_where_it_did(cluster, work)
    cluster.running_pods(TRAINING, 1)
    idle = cluster.wait_for_minimum(
        TRAINING_POOL, cluster.platform.pool(TRAINING_POOL).spec.nodes.min
    )
    evidence.show(
        "A node on which training runs is not consolidated, however little of it is used.",
        f"1 of 8 GPUs in use, beside {len(idle)} idle nodes of the minimum: `{told}`",
    )


def test_nodes_that_are_not_as_their_pool_says_now_are_replaced_unless_training_runs_there(
    cluster: ProvisionedCluster, evidence: Evidence, work: Work
) -> None:
    before = cluster.claims(INFERENCE_POOL)
    planned = [_change_template(cluster.client, p) for p in (TRAINING_POOL, INFERENCE_POOL)]
    assert [(each.verdict, each.rollouts[0].limits) for each in planned] == [
        (Verdict.SAFE, ("0",)),
        (Verdict.DISRUPTIVE, ("1",)),
    ]
    drifted = cluster.client.wait_for(work.claim, lambda each: is_true(each, "Drifted"))
    for claim in before:
        gone = _wait_until_one_goes(cluster, [claim], "Drifted", DRIFT_SECONDS)
    after = cluster.claims(INFERENCE_POOL)
    assert _serving_nodes(cluster) == _nodes(after)
    for node in map(cluster.node_of, after):
        assert node["metadata"]["labels"].items() >= CHANGED.items()
    told = cluster.wait_for_event(TRAINING_POOL, "reason Drifted due to blocking budget")
    assert_runs_where_it_did(cluster, work)
    (why,) = (each for each in drifted["status"]["conditions"] if each["type"] == "Drifted")
    evidence.show(
        "A NodePool that changes replaces its nodes, but none on which training runs.",
        f"label added to the templates of {INFERENCE_POOL} and {TRAINING_POOL}; {len(before)} "
        f"nodes of the first: `{gone}`, and {len(after)} with the label runs their pods; that of "
        f"the second is `{why['reason']}`, its pod runs on: `{told}`",
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
    assert not any(map(is_ending, (pod, claim, node)))


@contextmanager
def _no_warm_nodes(cluster: ProvisionedCluster, release: Path) -> Iterator[None]:
    """Take away what keeps nodes warm, as if the cluster file asked for none.

    A pod whose node goes prefers one without other replicas (`policies/rules/replica_spread.py`),
    hence the warm one, and Karpenter starts another.
    """
    objects = read_release(release, "node-pools")
    buffers = [each for each in objects if each["kind"] == "CapacityBuffer"]
    for each in buffers:
        cluster.client.delete(each)
    try:
        yield
    finally:
        for each in buffers:
            cluster.client.apply(each)


def _start_training(cluster: ProvisionedCluster) -> Document:
    """Return the pod of a job of one GPU that came when all nodes of the minimum were taken."""
    full = cluster.platform.pool(TRAINING_POOL).spec.nodes.min
    fillers = [gpu_pod(f"filler-{n}", TRAINING, {"nvidia.com/gpu": 8}) for n in range(full)]
    for pod in fillers:
        pod["spec"]["nodeSelector"] = {"karpenter.sh/nodepool": f"{TRAINING_POOL}.minimum"}
    create_all(cluster.client, fillers)
    cluster.running_pods(TRAINING, full)
    template = {"spec": {**gpu_pod_spec({"nvidia.com/gpu": 1}), "restartPolicy": "Never"}}
    job = manifest("batch/v1 Job", "pretrain", TRAINING, spec={"template": template})
    cluster.client.create(job)
    cluster.running_pods(TRAINING, full + 1)
    for pod in fillers:
        cluster.client.delete(pod)
    (pod,) = cluster.client.find("v1", "Pod", TRAINING, labelSelector="job-name=pretrain")
    return {"apiVersion": "v1", "kind": "Pod", **pod}


def _start_inference(cluster: ProvisionedCluster) -> list[Document]:
    """Return the NodeClaims beyond the minimum once a quarter of each one's node is in use."""
    filler, service = _deployment("filler", slices=6), _deployment("service", slices=2)
    for count, each in ((SERVICES, filler), (2 * SERVICES, service)):
        cluster.client.create(each)
        cluster.running_pods(INFERENCE, count)
    cluster.client.delete(filler)
    used = _serving_nodes(cluster)
    claims = cluster.claims(INFERENCE_POOL)
    assert len(used) == SERVICES
    assert used == _nodes(claims)
    return claims


def _deployment(name: str, slices: int) -> Document:
    # Those of the minimum stay, whatever they run.
    beyond_minimum = {"nodeSelector": {"karpenter.sh/nodepool": INFERENCE_POOL}}
    pods = {**gpu_pod_spec({SLICE: slices}), **beyond_minimum}
    return workload("apps/v1 Deployment", name, INFERENCE, pods, replicas=SERVICES)


def _serving_nodes(cluster: ProvisionedCluster) -> set[str]:
    """Return the nodes on which inference runs, once all of its pods do."""
    return {pod["spec"]["nodeName"] for pod in cluster.running_pods(INFERENCE, SERVICES)}


def _nodes(claims: Collection[Document]) -> set[str]:
    return {each["status"]["nodeName"] for each in claims}


def _wait_until_one_goes(
    cluster: ProvisionedCluster, claims: Collection[Document], reason: str, seconds: float
) -> str:
    """Return what Karpenter says of the first of some NodeClaims that it takes away for a reason.

    Waits until that one is gone, with its node; raises TimeoutError.
    """
    words = f"Disrupting NodeClaim: {reason}"
    by_uid = {each["metadata"]["uid"]: each for each in claims}
    for _ in polls(seconds):
        for event in cluster.client.find("v1", "Event", fieldSelector=_TAKEN_AWAY):
            claim = by_uid.get(event["involvedObject"].get("uid", ""))
            if claim is not None and event["message"] == words:
                cluster.client.wait_until_gone(claim, DRIFT_SECONDS)
                return words
    raise TimeoutError(f"of none of {sorted(_nodes(claims))} is said {words} after {seconds} s")


def _change_template(client: ApiClient, node_pool: str) -> PlannedObject:
    """Add a label to the nodes of a NodePool; return what the plan says of that."""
    before = client.get("karpenter.sh/v1", "NodePool", node_pool)
    change = {"spec": {"template": {"metadata": {"labels": CHANGED}}}}
    after = client.patch(before, change).document
    return plan_of(stated(before), stated(after))


def _consolidate_after(cluster: ProvisionedCluster, node_pool: str) -> str:
    found = cluster.client.get("karpenter.sh/v1", "NodePool", node_pool)
    return str(found["spec"]["disruption"]["consolidateAfter"])
