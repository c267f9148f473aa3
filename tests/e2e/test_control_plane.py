from __future__ import annotations

import pytest

from charts_py.platform.platform import Platform
from tests.e2e.api_client import ApiClient, ApiError
from tests.e2e.component_binaries import KUBERNETES_VERSION
from tests.e2e.gpu_nodes import nodes_of
from tests.e2e.joined_nodes import joined
from tests.e2e.placements import create_all, placements
from tests.e2e.release_objects import applied, namespace
from tests.e2e.team_pods import gpu_pod

NAMESPACE = "gpus"


def test_the_api_server_is_of_the_pinned_version(admin: ApiClient) -> None:
    version = admin.request("GET", "/version").document
    told = {key: version[key] for key in ("gitVersion", "major", "minor")}
    major, minor, _ = KUBERNETES_VERSION.split(".")
    assert told == {"gitVersion": f"v{KUBERNETES_VERSION}", "major": major, "minor": minor}


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


def test_a_client_shows_the_warnings_of_the_server(admin: ApiClient) -> None:
    pod = gpu_pod("warned", "default", {"nvidia.com/gpu": 1})
    pod["spec"]["nodeSelector"] = {"beta.kubernetes.io/os": "linux"}
    answer = admin.create(pod, dryRun="All")
    deprecated = "spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14"
    assert answer.warnings == (f'{deprecated}; use "kubernetes.io/os" instead',)


def test_another_user_is_told_what_it_may_not_do(admin: ApiClient) -> None:
    stranger = admin.impersonating("stranger@example.com", "strangers", "guests")
    with pytest.raises(ApiError) as refused:
        stranger.find("v1", "Pod", "default")
    assert refused.value.message == (
        'pods is forbidden: User "stranger@example.com" cannot list resource "pods" '
        'in API group "" in the namespace "default"'
    )
