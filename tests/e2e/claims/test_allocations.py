"""8 x A100-80 hold 8 whole GPUs, 56 MIG instances, or 224 instances that pods take turns on."""

from collections.abc import Iterator

import pytest

from charts_py.platform.platform import Platform
from tests.e2e.claims.cluster import load_claim_cluster, rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import create_all, placements, pods_by_node

NAMESPACE = "claim-allocations"
CPU = "250m"
"""Small enough for 224 pods on 96 CPUs."""


@pytest.fixture(scope="module")
def platform() -> Platform:
    return load_claim_cluster()


@pytest.fixture
def node_name(
    admin: ApiClient, platform: Platform, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The name of the only node, which is of the pool that a test names."""
    (node,) = nodes_of(platform, request.param, 1)
    with joined(admin, node):
        yield node["metadata"]["name"]


@pytest.mark.parametrize(
    ("node_name", "resource", "allocations", "a_gpu"),
    [
        ("a100", "nvidia.com/gpu", 8, 1),
        ("a100-mig", "nvidia.com/mig-1g.10gb", 56, 7),
        ("a100-shared", "nvidia.com/mig-1g.10gb.shared", 224, 28),
    ],
    indirect=["node_name"],
)
def test_a_node_of_eight_a100_holds_so_many_pods_and_no_more(
    admin: ApiClient,
    evidence: Evidence,
    node_name: str,
    resource: str,
    allocations: int,
    a_gpu: int,
) -> None:
    names = [f"pod-{number:03}" for number in range(allocations)]
    with applied(admin, [namespace(NAMESPACE)]):
        create_all(admin, (gpu_pod(name, NAMESPACE, {resource: 1}, cpu=CPU) for name in names))
        full = placements(admin, NAMESPACE, allocations)
        admin.create(gpu_pod("pod-beyond", NAMESPACE, {resource: 1}, cpu=CPU))
        *_, beyond = placements(admin, NAMESPACE, allocations + 1)
    assert pods_by_node(full) == {node_name: allocations}
    assert (beyond.pod, beyond.node) == ("pod-beyond", None)
    assert beyond.reason.startswith(f"0/1 nodes are available: 1 Insufficient {resource}.")
    assert allocations == 8 * a_gpu
    evidence.show(
        f"A node of 8 x A100-80 holds {allocations} pods with one {resource} each.",
        f"{allocations} scheduled, {a_gpu} a GPU; the next one: `1 Insufficient {resource}`",
    )


@pytest.mark.parametrize("node_name", ["a100-shared"], indirect=True)
def test_pods_of_a_team_that_state_no_cpu_fill_a_shared_node(
    admin: ApiClient, evidence: Evidence, platform: Platform, node_name: str
) -> None:
    team = rendered(platform, "priority-classes", "team-research")
    resource, home = "nvidia.com/mig-1g.10gb.shared", "claims-notebooks"
    names = [f"pod-{number:03}" for number in range(224)]
    with applied(admin, team):
        create_all(admin, (gpu_pod(name, home, {resource: 1}) for name in names))
        placed = pods_by_node(placements(admin, home, len(names)))
    assert placed == {node_name: 224}
    evidence.show(
        "Pods of a team that state no CPU leave none of a node's shared GPUs without a pod.",
        "224 of 224 scheduled, by the LimitRange of the team's namespace",
    )
