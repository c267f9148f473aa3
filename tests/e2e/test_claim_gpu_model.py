"""A pod that says which GPU it needs never runs on another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.api_client import ApiClient
from tests.e2e.claim_cluster import load_claim_cluster, write_release
from tests.e2e.evidence import Evidence
from tests.e2e.gpu_nodes import nodes_of
from tests.e2e.joined_nodes import joined
from tests.e2e.placements import create_all, placements, pods_by_node
from tests.e2e.platform_webhook import running_webhook
from tests.e2e.release_objects import applied, empty, read_release
from tests.e2e.team_pods import gpu_pod

NAMESPACE = "claims-training"
GPUS = 8
NEEDS_H100 = {"gpuplane.io/gpu-model": "h100"}
H100, T4 = "claims-h100-0", "claims-t4-0"


@pytest.fixture
def h100_beside_t4(admin: ApiClient, component_logs: Path, tmp_path: Path) -> Iterator[None]:
    """A node of eight H100, one of eight T4, a team that may use both, and the webhook."""
    platform = load_claim_cluster()
    release = tmp_path / "release"
    write_release(platform, release)
    nodes = [*nodes_of(platform, "h100", 1), *nodes_of(platform, "t4", 1)]
    team = read_release(release, "priority-classes", "team-research")
    with (
        joined(admin, *nodes),
        applied(admin, team),
        running_webhook(admin, release, tmp_path, component_logs),
    ):
        yield


@pytest.mark.usefixtures("h100_beside_t4")
def test_a_training_pod_for_h100_never_lands_on_a_t4(admin: ApiClient, evidence: Evidence) -> None:
    names = [f"pod-{number:02}" for number in range(2 * GPUS)]
    create_all(admin, (gpu_pod(name, NAMESPACE, {"nvidia.com/gpu": 1}, cpu="1") for name in names))
    anywhere = pods_by_node(placements(admin, NAMESPACE, 2 * GPUS))
    empty(admin, NAMESPACE)
    create_all(
        admin,
        (
            gpu_pod(name, NAMESPACE, {"nvidia.com/gpu": 1}, cpu="1", annotations=NEEDS_H100)
            for name in names
        ),
    )
    annotated = placements(admin, NAMESPACE, 2 * GPUS)
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
