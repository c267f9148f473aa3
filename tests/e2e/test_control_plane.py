from __future__ import annotations

import pytest

from charts_py.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.api_client import ApiClient, ApiError
from tests.e2e.component_binaries import KUBERNETES_VERSION
from tests.e2e.gpu_nodes import join, leave, nodes_of

IMAGE = "registry.example.com/team/train:1.0.0"


def gpu_pod(name: str, resource: str, count: int) -> Document:
    limits = {resource: str(count), "cpu": "4", "memory": "16Gi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "containers": [{"name": "train", "image": IMAGE, "resources": {"limits": limits}}],
            "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
        },
    }


def test_the_api_server_is_of_the_pinned_version(admin: ApiClient) -> None:
    version = admin.request("GET", "/version").document
    told = {key: version[key] for key in ("gitVersion", "major", "minor")}
    major, minor, _ = KUBERNETES_VERSION.split(".")
    assert told == {"gitVersion": f"v{KUBERNETES_VERSION}", "major": major, "minor": minor}


def test_a_pod_gets_the_gpus_of_a_node_of_its_pool(
    admin: ApiClient, platforms: dict[str, Platform]
) -> None:
    (node,) = nodes_of(platforms["onprem"], "h200", 1)
    first, second = (gpu_pod("first", "nvidia.com/gpu", 8), gpu_pod("second", "nvidia.com/gpu", 1))
    join(admin, node)
    try:
        admin.create(first)
        placed = admin.wait_for(first, lambda pod: "nodeName" in pod["spec"])
        admin.create(second)
        left = admin.wait_for(second, lambda pod: bool(pod["status"].get("conditions")))
    finally:
        for pod in (second, first):
            admin.delete(pod)
        leave(admin, node)
    assert placed["spec"]["nodeName"] == "onprem-h200-0"
    (condition,) = left["status"]["conditions"]
    assert condition["message"].startswith("0/1 nodes are available: 1 Insufficient nvidia.com/gpu")


def test_a_client_shows_the_warnings_of_the_server(admin: ApiClient) -> None:
    pod = gpu_pod("warned", "nvidia.com/gpu", 1)
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
