"""Two replicas of one service do not end with one node."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest, workload
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import IMAGE, gpu_pod_spec
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import placements, pods_by_node
from tests.e2e.webhook.registration import ServeWebhook

NAMESPACE = "recommendations"
OTHERS = "others"


@pytest.fixture
def idle_and_busy(admin: ApiClient, platforms: dict[str, Platform]) -> Iterator[tuple[str, str]]:
    """The names of the only two nodes; the CPU and memory of the second are nearly all in use."""
    idle, busy = nodes_of(platforms["training"], "a100-mixed", 2)
    name = busy["metadata"]["name"]
    with joined(admin, idle, busy), applied(admin, [namespace(OTHERS), load_on(name)]):
        yield idle["metadata"]["name"], name


def replicas_by_node(client: ApiClient, team: list[Document]) -> dict[str | None, int]:
    """Return how many replicas of the service stand on each node; all of the team goes."""
    pods = gpu_pod_spec({"nvidia.com/mig-1g.10gb": 1})
    with applied(client, team):
        client.create(workload("apps/v1 Deployment", "ranking", NAMESPACE, pods, replicas=2))
        return pods_by_node(placements(client, NAMESPACE, 2))


def test_two_replicas_of_a_service_land_on_two_nodes(
    admin: ApiClient,
    evidence: Evidence,
    live_releases: dict[str, Path],
    serve_webhook: ServeWebhook,
    idle_and_busy: tuple[str, str],
) -> None:
    idle, busy = idle_and_busy
    release = live_releases["training"]
    team = read_release(release, "priority-classes", "team-recommendations")
    left_alone = replicas_by_node(admin, team)
    with serve_webhook(release):
        spread = replicas_by_node(admin, team)
    assert left_alone == {idle: 2}
    assert spread == {idle: 1, busy: 1}
    evidence.show(
        "Two replicas of one service land on two nodes, though one of these is busier.",
        "1 replica on each node; without the webhook 2 on the one that is idle",
    )


def load_on(node: str) -> Document:
    """Return a pod that asks for all but little of the 96 CPUs and 1152 GiB of a node."""
    requests = {"cpu": "90", "memory": "1080Gi"}
    container = {"name": "main", "image": IMAGE, "resources": {"requests": requests}}
    return manifest("v1 Pod", "load", OTHERS, spec={"nodeName": node, "containers": [container]})
