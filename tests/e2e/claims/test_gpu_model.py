"""A pod that says which GPU it needs never runs on another."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from tests.e2e.claims.cluster import load_claim_cluster, rendered, write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import GPU, gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import Placement, create_all, placements, pods_by_node
from tests.e2e.webhook.registration import ServeWebhook

NAMESPACE = "claims-training"
GPUS = 8
NEEDS_H100 = {"gpuplane.io/gpu-model": "h100"}
H100, T4 = "claims-h100-0", "claims-t4-0"


@pytest.fixture
def team(admin: ApiClient, serve_webhook: ServeWebhook, tmp_path: Path) -> Iterator[list[Document]]:
    """A team that may use the only nodes, one of eight H100 and one of eight T4; the webhook."""
    platform = load_claim_cluster()
    nodes = [*nodes_of(platform, "h100", 1), *nodes_of(platform, "t4", 1)]
    with joined(admin, *nodes), serve_webhook(write_release(platform, tmp_path)):
        yield rendered(platform, "priority-classes", "team-research")


def placed(
    client: ApiClient, team: list[Document], annotations: Mapping[str, str]
) -> list[Placement]:
    """Return where pods stand that ask for all GPUs; the namespace, and what it used, goes."""
    names = [f"pod-{number:02}" for number in range(2 * GPUS)]
    pods = (gpu_pod(name, NAMESPACE, {GPU: 1}, cpu="1", annotations=annotations) for name in names)
    with applied(client, team):
        create_all(client, pods)
        return placements(client, NAMESPACE, len(names))


def test_a_training_pod_for_h100_never_lands_on_a_t4(
    admin: ApiClient, evidence: Evidence, team: list[Document]
) -> None:
    anywhere = pods_by_node(placed(admin, team, {}))
    annotated = placed(admin, team, NEEDS_H100)
    (reason,) = {each.reason for each in annotated if each.node is None}
    assert anywhere == {H100: GPUS, T4: GPUS}
    assert pods_by_node(annotated) == {H100: GPUS, None: GPUS}
    assert reason.startswith(
        "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, "
        "1 node(s) didn't match Pod's node affinity/selector."
    )
    evidence.show(
        "A training pod with gpu-model: h100 never lands on a T4.",
        f"of {2 * GPUS} pods {GPUS} on H100, {GPUS} Pending beside {GPUS} idle T4; "
        f"without the annotation {GPUS} on H100, {GPUS} on T4",
    )
