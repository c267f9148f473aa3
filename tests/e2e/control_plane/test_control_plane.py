from charts_py.platform.platform import Platform
from tests.binaries.control_plane import PinnedKubernetes
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import gpu_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import create_all, placements

NAMESPACE = "gpus"


def test_the_api_server_is_of_the_pinned_version(
    admin: ApiClient, kubernetes: PinnedKubernetes
) -> None:
    version = admin.request("GET", "/version").document
    told = {key: version[key] for key in ("gitVersion", "major", "minor")}
    major, minor, _ = kubernetes.version.split(".")
    assert told == {"gitVersion": f"v{kubernetes.version}", "major": major, "minor": minor}


def test_a_pod_gets_the_gpus_of_a_node_of_its_pool(
    admin: ApiClient, platforms: dict[str, Platform]
) -> None:
    (node,) = nodes_of(platforms["onprem"], "h200", 1)
    with joined(admin, node), applied(admin, [namespace(NAMESPACE)]):
        create_all(admin, [gpu_pod("first", NAMESPACE, {"nvidia.com/gpu": 8})])
        placements(admin, NAMESPACE, 1)
        create_all(admin, [gpu_pod("second", NAMESPACE, {"nvidia.com/gpu": 1})])
        placed, left = placements(admin, NAMESPACE, 2)
    assert placed.node == "onprem-h200-0"
    assert left.reason.startswith("0/1 nodes are available: 1 Insufficient nvidia.com/gpu")
