"""Two replicas of one service do not end with one node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.api_client import ApiClient
from tests.e2e.conftest import REPOSITORY
from tests.e2e.evidence import Evidence
from tests.e2e.gpu_nodes import nodes_of
from tests.e2e.joined_nodes import joined
from tests.e2e.placements import placements, pods_by_node
from tests.e2e.platform_webhook import running_webhook
from tests.e2e.release_objects import applied, empty, read_release
from tests.e2e.team_pods import IMAGE, gpu_pod_spec

NAMESPACE = "recommendations"
LABELS = {"app": "ranking"}


@pytest.fixture
def release(platforms: dict[str, Platform]) -> Path:
    return REPOSITORY / "dist" / "training" / platforms["training"].live


@pytest.fixture
def idle_and_busy(
    admin: ApiClient, platforms: dict[str, Platform], release: Path
) -> Iterator[tuple[str, str]]:
    """The names of the only two nodes; the CPU and memory of the second are nearly all in use."""
    idle, busy = nodes_of(platforms["training"], "a100-mixed", 2)
    name = busy["metadata"]["name"]
    team = read_release(release, "priority-classes", "team-recommendations")
    with joined(admin, idle, busy), applied(admin, team):
        load = load_on(name)
        admin.create(load)
        yield idle["metadata"]["name"], name
        admin.delete(load)


def test_two_replicas_of_a_service_land_on_two_nodes(
    admin: ApiClient,
    evidence: Evidence,
    release: Path,
    idle_and_busy: tuple[str, str],
    component_logs: Path,
    tmp_path: Path,
) -> None:
    idle, busy = idle_and_busy
    admin.create(service())
    left_alone = pods_by_node(placements(admin, NAMESPACE, 2))
    empty(admin, NAMESPACE)
    with running_webhook(admin, release, tmp_path, component_logs):
        admin.create(service())
        spread = pods_by_node(placements(admin, NAMESPACE, 2))
        empty(admin, NAMESPACE)
    assert left_alone == {idle: 2}
    assert spread == {idle: 1, busy: 1}
    evidence.show(
        "Two replicas of one service land on two nodes, though one of these is busier.",
        "1 replica on each node; without the webhook 2 on the one that is idle",
    )


def service() -> Document:
    template = {"metadata": {"labels": LABELS}, "spec": gpu_pod_spec({"nvidia.com/mig-1g.10gb": 1})}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "ranking", "namespace": NAMESPACE},
        "spec": {"replicas": 2, "selector": {"matchLabels": LABELS}, "template": template},
    }


def load_on(node: str) -> Document:
    """Return a pod that asks for all but little of the 96 CPUs and 1152 GiB of a node."""
    requests = {"cpu": "90", "memory": "1080Gi"}
    container = {"name": "main", "image": IMAGE, "resources": {"requests": requests}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "load", "namespace": "default"},
        "spec": {"nodeName": node, "containers": [container]},
    }
