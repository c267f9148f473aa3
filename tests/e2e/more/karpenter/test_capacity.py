"""Karpenter makes the nodes that the pools promise and pods wait for, and no more."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil

import pytest

from charts_py.objects.document import Document
from charts_py.objects.pods import tolerations_of
from charts_py.platform.platform import PlatformPool
from gpus.platform_names import POOL
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.more.karpenter.cluster import (
    PATIENCE_SECONDS,
    ProvisionedCluster,
    is_running,
    is_true,
)
from tests.e2e.releases.objects import empty
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.placements import create_all

ELSEWHERE = "logging"
"""A namespace that `clusters/fleet.yaml` exempts: no quota bounds its pods before a pool does."""


@dataclass(frozen=True, slots=True)
class Demand:
    """Pods of a team that ask for what one pool offers."""

    pool: str
    namespace: str
    resource: str
    each: int
    pods: int
    selector: Mapping[str, str] = field(default_factory=dict)

    def documents(self) -> Iterator[Document]:
        """Yield the pods as a team writes them: no toleration, no priority."""
        for number in range(self.pods):
            pod = gpu_pod(f"pod-{number:02}", self.namespace, {self.resource: self.each})
            del pod["spec"]["tolerations"]
            pod["spec"]["nodeSelector"] = dict(self.selector)
            yield pod


DEMANDS = [
    Demand("h100", "research-training", "nvidia.com/gpu", each=8, pods=6),
    Demand(
        "h100-spot",
        "recommendations",
        "nvidia.com/gpu",
        each=8,
        pods=2,
        selector={"gpuplane.io/purchase": "spot"},
    ),
    Demand("a100-mixed", "recommendations", "nvidia.com/mig-3g.40gb", each=1, pods=17),
    Demand("a10g-notebooks", "research-notebooks", "nvidia.com/gpu.shared", each=1, pods=33),
]


@pytest.fixture(scope="module", autouse=True)
def _elsewhere(cluster: ProvisionedCluster) -> Iterator[None]:
    made = make_namespace(cluster.client, ELSEWHERE)
    yield
    cluster.client.delete(made)


@pytest.fixture(autouse=True)
def _empty_namespaces(cluster: ProvisionedCluster) -> Iterator[None]:
    yield
    for name in sorted({ELSEWHERE, *(demand.namespace for demand in DEMANDS)}):
        empty(cluster.client, name)


def test_the_minimum_of_a_pool_is_there_before_any_pod(
    cluster: ProvisionedCluster, evidence: Evidence
) -> None:
    pools = [pool for pool in cluster.platform.pools if pool.spec.nodes.min]
    for pool in pools:
        claims = cluster.wait_for_minimum(pool.name, pool.spec.nodes.min)
        for node in map(cluster.node_of, claims):
            assert_is_what_the_pool_says(node, pool)
    listed = ", ".join(f"{pool.spec.nodes.min} of {pool.name}" for pool in pools)
    evidence.show(
        "The minimum size of a pool is there before any pod, with the pool's labels and taints.",
        f"initialized nodes of NodePools with replicas: {listed}",
    )


def test_warm_nodes_are_there_before_any_pod(
    cluster: ProvisionedCluster, evidence: Evidence
) -> None:
    told = []
    for pool in (each for each in cluster.platform.pools if each.spec.nodes.warm):
        buffer = cluster.client.wait_for(
            _buffer(pool), lambda each: is_true(each, "Provisioning"), PATIENCE_SECONDS
        )
        nodes = pool.spec.nodes
        claims = cluster.wait_for_claims(pool.name, len(cluster.claims_of(pool.name)))
        # An idle node of the minimum is as warm as any other, and is not always there first.
        assert max(nodes.min, nodes.warm) <= len(claims) <= nodes.min + nodes.warm
        for claim in claims:
            assert_is_what_the_pool_says(cluster.node_of(claim), pool)
        (why,) = (e for e in buffer["status"]["conditions"] if e["type"] == "Provisioning")
        told.append(f"{pool.name} {nodes.warm}, with a minimum of {nodes.min}: `{why['message']}`")
    evidence.show(
        "Warm nodes are there before any pod; idle ones of the minimum count as such.",
        "; ".join(told),
    )


@pytest.mark.parametrize("demand", DEMANDS, ids=lambda demand: demand.pool)
def test_pods_that_wait_for_gpus_get_nodes(
    cluster: ProvisionedCluster, evidence: Evidence, demand: Demand
) -> None:
    pool = cluster.platform.pool(demand.pool)
    (per_node,) = (each.per_node for each in pool.facts.resources if each.name == demand.resource)
    create_all(cluster.client, demand.documents())
    pods = cluster.running_pods(demand.namespace, demand.pods)
    claims = cluster.wait_for_claims(
        pool.name, ceil(demand.pods * demand.each / per_node) + pool.spec.nodes.warm
    )
    nodes = {each["metadata"]["name"]: each for each in map(cluster.node_of, claims)}
    assert {pod["spec"]["nodeName"] for pod in pods} <= set(nodes)
    for node in nodes.values():
        assert_is_what_the_pool_says(node, pool)
    evidence.show(
        "Pods of a team that say nothing but their GPUs get as many nodes as they fill, and the "
        f"warm ones ({pool.name}).",
        f"{demand.pods} pods of {demand.each} `{demand.resource}`, {per_node} a node: "
        f"{len(nodes)} nodes, {pool.spec.nodes.warm} of them warm; all pods run",
    )


@pytest.mark.parametrize("pool_name", [demand.pool for demand in DEMANDS])
def test_a_pool_never_has_more_nodes_than_its_maximum(
    cluster: ProvisionedCluster, evidence: Evidence, pool_name: str
) -> None:
    pool = cluster.platform.pool(pool_name)
    nodes, client = pool.spec.nodes, cluster.client
    pods = [_whole_node(pool, number) for number in range(nodes.max + 1)]
    create_all(client, pods)
    cluster.running_pods(ELSEWHERE, nodes.max)
    claims = cluster.wait_for_claims(pool.name, nodes.max)
    (waiting,) = (each for each in client.find("v1", "Pod", ELSEWHERE) if not is_running(each))
    told = cluster.wait_for_event(waiting["metadata"]["name"], _of_node_pool(pool))
    places = Counter(each["metadata"]["labels"]["karpenter.sh/nodepool"] for each in claims)
    assert len(cluster.claims_of(pool.name)) == nodes.max
    evidence.show(
        f"A pool never has more nodes than its maximum ({pool.name}, {nodes.max}).",
        f"{len(pods)} pods that each take a node: {nodes.max} run, one waits; "
        + ", ".join(f"{count} of NodePool {name}" for name, count in sorted(places.items()))
        + f"; {_reason(told, pool)}",
    )


def assert_is_what_the_pool_says(node: Document, pool: PlatformPool) -> None:
    """Compare a node with the facts of its pool."""
    labels, taints = node["metadata"]["labels"], node["spec"]["taints"]
    offered = {
        name: count
        for name, count in node["status"]["allocatable"].items()
        if name.startswith("nvidia.com/") and count != "0"
    }
    assert labels.items() >= pool.facts.labels.items()
    assert labels["node.kubernetes.io/instance-type"] == pool.instance_type
    assert sorted(f"{t['key']}={t.get('value', '')}:{t['effect']}" for t in taints) == sorted(
        str(taint) for taint in pool.facts.taints
    )
    assert offered == {each.name: str(each.per_node) for each in pool.facts.resources}


def _buffer(pool: PlatformPool) -> Document:
    kind = "autoscaling.x-k8s.io/v1beta1 CapacityBuffer"
    return manifest(kind, f"warm-{pool.name}", "node-pools")


def _whole_node(pool: PlatformPool, number: int) -> Document:
    """Return a pod that takes all GPUs of a node of a pool."""
    gpus = {each.name: each.per_node for each in pool.facts.resources}
    pod = gpu_pod(f"whole-{pool.name}-{number:02}", ELSEWHERE, gpus)
    pod["spec"]["tolerations"] = tolerations_of(pool.facts.taints)
    pod["spec"]["nodeSelector"] = {POOL: pool.name}
    return pod


def _of_node_pool(pool: PlatformPool) -> str:
    """Return how Karpenter ends what it says of the limits of a NodePool."""
    return f"for nodepool (NodePool={pool.name})"


def _reason(told: str, pool: PlatformPool) -> str:
    """Return what Karpenter says of a NodePool's limits, of all that it says of a pod."""
    parts = told.removeprefix("Failed to schedule pod, ").split("; ")
    (said,) = (part for part in parts if part.endswith(_of_node_pool(pool)))
    assert "limits" in said
    return f"`{said}`"
