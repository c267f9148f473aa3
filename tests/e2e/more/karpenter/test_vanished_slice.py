"""Karpenter leaves a node whose pods ask for what nothing offers any more, as the plan says."""

from collections.abc import Iterator

import pytest

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import JSON_PATCH
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.more.karpenter.cluster import ProvisionedCluster, is_true
from tests.e2e.releases.objects import empty
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.placements import is_ending

POOL, NAMESPACE = "a100-mixed", "recommendations"
GONE, STAYS = "nvidia.com/mig-1g.10gb", "nvidia.com/mig-2g.20gb"
LAYOUT = "nvidia.com/mig.config"
CHANGED = {"capacity": {GONE: None, STAYS: "16"}}
"""As examples/plans/mig-gone has it: what Karpenter expects of the machines of the pool."""


@pytest.fixture
def node_pool(cluster: ProvisionedCluster) -> Iterator[Document]:
    """The NodePool, which is what it was in the end, as is what Karpenter expects of its nodes."""
    overlay = cluster.client.get("karpenter.sh/v1alpha1", "NodeOverlay", POOL)
    found = cluster.client.get("karpenter.sh/v1", "NodePool", POOL)
    yield found
    empty(cluster.client, NAMESPACE)
    for each in (overlay, found):
        spec = [{"op": "replace", "path": "/spec", "value": each["spec"]}]
        cluster.client.patch(each, spec, content_type=JSON_PATCH)


def test_a_node_whose_slice_nothing_offers_any_more_is_left_with_its_pod(
    cluster: ProvisionedCluster, node_pool: Document, evidence: Evidence
) -> None:
    pod = gpu_pod("served", NAMESPACE, {GONE: 1})
    # A node of the minimum is drained whatever its pods ask for.
    pod["spec"]["nodeSelector"] = {"karpenter.sh/nodepool": POOL}
    cluster.client.create(pod)
    (running,) = cluster.running_pods(NAMESPACE, 1)
    (claim,) = (
        each
        for each in cluster.claims(POOL)
        if each["status"]["nodeName"] == running["spec"]["nodeName"]
    )
    overlay = manifest("karpenter.sh/v1alpha1 NodeOverlay", POOL)
    cluster.client.patch(overlay, {"spec": CHANGED})
    labels = {"spec": {"template": {"metadata": {"labels": {LAYOUT: "changed"}}}}}
    cluster.client.patch(node_pool, labels)
    drifted = cluster.client.wait_for(claim, lambda each: is_true(each, "Drifted"))
    told = cluster.wait_for_event(claim["metadata"]["name"], "ot all pods would schedule")
    left = cluster.client.get("v1", "Pod", "served", NAMESPACE)
    assert left["metadata"]["uid"] == running["metadata"]["uid"]
    assert not any(map(is_ending, (left, drifted, cluster.node_of(drifted))))
    evidence.show(
        "A node that has drifted stays as it is while a pod of it asks for what nothing offers.",
        f"`{GONE}` is gone from the NodeOverlay, and the layout of the NodePool has changed: "
        f"`{told.partition(' => ')[0]}`",
    )
