"""The quota of a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.team.quota import quota_bounds, resource_quota

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def bounds_of(platform: Platform, name: str) -> dict[str, str]:
    (namespace,) = (space for space in platform.namespaces if space.name == name)
    return quota_bounds(platform, namespace)


def test_a_quota_bounds_every_resource_that_the_platform_offers_and_what_can_be_borrowed(
    example: Callable[[str], Platform],
) -> None:
    bounds = bounds_of(example("training"), "research-training")
    assert resource_quota("research-training", bounds) == {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {
            "name": "quota",
            "namespace": "research-training",
            "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
        },
        "spec": {
            "hard": {
                "count/resourceclaims.resource.k8s.io": "16",
                "limits.memory": "38Ti",
                "requests.cpu": "3768",
                "requests.memory": "38Ti",
                "requests.nvidia.com/gpu": "160",
                "requests.nvidia.com/gpu.shared": "0",
                "requests.nvidia.com/mig-1g.10gb": "0",
                "requests.nvidia.com/mig-2g.20gb": "0",
                "requests.nvidia.com/mig-3g.40gb": "0",
                "requests.storage": "200Ti",
                "services.loadbalancers": "0",
                "services.nodeports": "0",
            }
        },
    }


def test_a_quota_on_aks_counts_mig_instances_as_gpus_and_no_claims_before_kubernetes_1_34(
    example: Callable[[str], Platform],
) -> None:
    assert bounds_of(example("mixed"), "vision-serving") == {
        "limits.memory": "3Ti",
        "requests.cpu": "300",
        "requests.memory": "3Ti",
        "requests.nvidia.com/gpu": "112",
        "requests.storage": "5Ti",
        "services.loadbalancers": "0",
        "services.nodeports": "0",
    }


def test_a_quota_on_gke_sums_two_pools_and_allows_no_claim_unless_said(
    example: Callable[[str], Platform],
) -> None:
    assert bounds_of(example("inference"), "search-serving") == {
        "count/resourceclaims.resource.k8s.io": "0",
        "limits.memory": "6Ti",
        "requests.cpu": "900",
        "requests.memory": "6Ti",
        "requests.nvidia.com/gpu": "384",
        "requests.storage": "10Ti",
        "services.loadbalancers": "0",
        "services.nodeports": "0",
    }


def test_a_quota_bounds_the_gpus_of_every_vendor(
    example: Callable[[str], Platform],
) -> None:
    assert bounds_of(example("onprem"), "simulation") == {
        "count/resourceclaims.resource.k8s.io": "0",
        "limits.memory": "16Ti",
        "requests.amd.com/gpu": "16",
        "requests.cpu": "1600",
        "requests.memory": "16Ti",
        "requests.nvidia.com/gpu": "64",
        "requests.nvidia.com/mig-1g.18gb.shared": "0",
        "requests.storage": "400Ti",
        "services.loadbalancers": "0",
        "services.nodeports": "0",
    }


def test_a_quota_counts_the_gpus_that_dra_gives_out_once_more_by_their_class(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    platform = platform_of(sample("dra"))
    names = (
        "requests.nvidia.com/gpu",
        "requests.deviceclass.resource.kubernetes.io/gpu.nvidia.com",
        "count/resourceclaims.resource.k8s.io",
    )
    assert {
        namespace.name: tuple(bounds_of(platform, namespace.name)[name] for name in names)
        for namespace in platform.namespaces
    } == {
        # The scheduler makes a claim for each pod; two more are the namespace's own.
        "evaluation": ("4", "4", "6"),
        "plugged": ("8", "0", "0"),
        "research": ("36", "12", "12"),
    }


def test_a_quota_bounds_disks_and_ports_as_the_cluster_file_says(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    said = ("storage: 20Ti", "ephemeralStorage: 2Ti", "loadBalancers: 1", "nodePorts: 2")
    text = sample("eks", (said[0], "\n          ".join(said)))
    bounds = bounds_of(platform_of(text), "research")
    names = ("requests.ephemeral-storage", "services.loadbalancers", "services.nodeports")
    assert [bounds[name] for name in names] == ["2Ti", "1", "2"]
