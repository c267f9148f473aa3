import pytest

from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.scheduling.gpu_pods import gpu_pod


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
