"""Placeholders hold warm nodes, and give them up to the first pod that may preempt."""

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.providers.placeholder import PRIORITY_CLASS, placeholders
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod
from tests.e2e.scheduling.nodes import join, joined, leave, nodes_of
from tests.e2e.scheduling.placements import (
    PATIENCE_SECONDS,
    Placement,
    bound_pods,
    has_node,
    placements,
)

NAMESPACE = "warm-nodes"
NODE_POOLS = "node-pools"
POOL = "l4-shared"


def test_a_pod_takes_a_warm_node_at_once_and_a_placeholder_asks_for_another(
    admin: ApiClient, evidence: Evidence, platforms: dict[str, Platform]
) -> None:
    platform = platforms["inference"]
    warm = placeholders(platform.pool(POOL), platform)
    *idle, another = nodes_of(platform, POOL, warm + 1)
    objects = rendered(platform, "priority-classes", "warm", f"warm-{POOL}")
    with joined(admin, *idle), applied(admin, [*map(namespace, (NODE_POOLS, NAMESPACE)), *objects]):
        held = _nodes(bound_pods(admin, NODE_POOLS, warm))
        admin.create(gpu_pod("patient", NAMESPACE, {GPU: 1}, priority="batch"))
        (patient,) = placements(admin, NAMESPACE, 1)
        service = gpu_pod("service", NAMESPACE, {GPU: 1}, priority="inference")
        admin.create(service)
        taken = admin.wait_for(service, has_node, PATIENCE_SECONDS)["spec"]["nodeName"]
        (waiting,) = _waiting(admin, warm)
        try:
            join(admin, another)
            refilled = _nodes(bound_pods(admin, NODE_POOLS, warm))
        finally:
            leave(admin, another)
    assert {taken} < held == {node["metadata"]["name"] for node in idle}
    assert refilled == held - {taken} | {another["metadata"]["name"]}
    assert patient.node is None
    assert "not eligible due to preemptionPolicy=Never" in patient.reason
    evidence.show(
        "A pod takes a warm node at once, and a placeholder asks for another.",
        f"{warm} nodes of {POOL}, held by `{PRIORITY_CLASS}`; an inference pod lands on one of "
        f"them; the placeholder: `{waiting.reason}`, and it lands on the node that comes; a batch "
        f"pod, which never preempts: `{patient.reason}`",
    )


def _nodes(pods: list[Document]) -> set[str]:
    return {pod["spec"]["nodeName"] for pod in pods}


def _waiting(client: ApiClient, count: int) -> list[Placement]:
    return [each for each in placements(client, NODE_POOLS, count) if each.node is None]
