"""Pods on a spot node that goes are told, but for those that Karpenter may not disrupt.

When EC2 takes a spot node back, Karpenter deletes its NodeClaim: `deleteNodeClaim` in
pkg/controllers/interruption/controller.go of https://github.com/aws/karpenter-provider-aws at
v1.14.1.
"""

from collections.abc import Iterator

import pytest

from charts_py.objects.document import Document
from gpus.platform_names import POOL, PURCHASE
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.more.karpenter.cluster import ProvisionedCluster
from tests.e2e.releases.objects import empty
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod
from tests.e2e.scheduling.placements import create_all, is_ending

NAMESPACE, SPOT_POOL = "research-training", "h100-spot"
TOLD, UNTOLD = "told", "untold"
_ANNOTATIONS = {
    TOLD: {PURCHASE: "spot"},
    UNTOLD: {PURCHASE: "spot", "karpenter.sh/do-not-disrupt": "true"},
}


@pytest.fixture
def trainers(cluster: ProvisionedCluster) -> Iterator[None]:
    """Run a pod on each of two spot nodes, of which Karpenter may not disrupt one."""
    empty(cluster.client, NAMESPACE)
    pods = [
        gpu_pod(name, NAMESPACE, {GPU: 8}, annotations=annotations)
        for name, annotations in _ANNOTATIONS.items()
    ]
    for pod in pods:
        pod["spec"]["nodeSelector"] = {POOL: SPOT_POOL}
    create_all(cluster.client, pods)
    cluster.running_pods(NAMESPACE, len(pods))
    yield
    empty(cluster.client, NAMESPACE)


@pytest.mark.usefixtures("trainers")
def test_a_spot_node_that_goes_tells_its_pods_but_those_that_may_not_be_disrupted(
    cluster: ProvisionedCluster, evidence: Evidence
) -> None:
    nodes = {name: _pod(cluster.client, name)["spec"]["nodeName"] for name in (TOLD, UNTOLD)}
    claims = {each["status"]["nodeName"]: each for each in cluster.claims(SPOT_POOL)}
    for name in (UNTOLD, TOLD):
        cluster.client.delete(claims[nodes[name]])
    cluster.client.wait_until_gone(claims[nodes[TOLD]])
    left = _pod(cluster.client, UNTOLD)
    assert (is_ending(left), left["status"]["phase"]) == (False, "Running")
    assert is_ending(cluster.client.get("v1", "Node", nodes[UNTOLD]))
    evidence.show(
        "A spot node that goes tells its pods, but those that Karpenter may not disrupt.",
        "2 NodeClaims deleted as on an interruption: one pod is evicted, and its node gone; the "
        "pod annotated with `karpenter.sh/do-not-disrupt` still runs, on a node that is to go",
    )


def _pod(client: ApiClient, name: str) -> Document:
    return client.get("v1", "Pod", name, NAMESPACE)
