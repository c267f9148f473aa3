"""Jobs that wait for nodes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.cluster_file.queues import Borrowing
from charts_py.components.kueue.quotas import cluster_queue, provisioning

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


@pytest.fixture
def platform(platform_of: Callable[[str], Platform], sample: Callable[..., str]) -> Platform:
    """Return the platform of the sample whose nodes are queued."""
    return platform_of(sample("gke-queued"))


def test_jobs_pass_a_check_that_has_the_provider_start_their_nodes(platform: Platform) -> None:
    config, check = provisioning(platform)
    assert (config["kind"], config["spec"]) == (
        "ProvisioningRequestConfig",
        {
            "provisioningClassName": "queued-provisioning.gke.io",
            "managedResources": ["nvidia.com/gpu"],
        },
    )
    assert (check["kind"], check["spec"]) == (
        "AdmissionCheck",
        {
            "controllerName": "kueue.x-k8s.io/provisioning-request",
            "parameters": {
                "apiGroup": "kueue.x-k8s.io",
                "kind": "ProvisioningRequestConfig",
                "name": config["metadata"]["name"],
            },
        },
    )


def test_only_a_pool_whose_nodes_are_queued_is_checked(platform: Platform) -> None:
    rule = {"name": "queued-nodes", "onFlavors": ["h100"]}
    found: dict[str, Any] = {
        namespace.name: cluster_queue(platform, namespace, Borrowing.CLUSTER)["spec"].get(
            "admissionChecksStrategy"
        )
        for namespace in platform.namespaces
    }
    assert found == {"research-batch": None, "research-training": {"admissionChecks": [rule]}}


def test_without_such_a_pool_there_is_no_check(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    assert list(provisioning(platform_of(sample("queues")))) == []
