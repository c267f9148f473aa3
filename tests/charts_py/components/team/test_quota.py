"""The quota of a namespace."""

from dataclasses import replace

from hypothesis import given, strategies as st

from charts_py.cluster_file.quantity import bytes_of
from charts_py.cluster_file.strict_model import MAX_PODS_PER_NODE, MIN_BYTES_OF_HARDWARE
from charts_py.components.team.quota import limit_range, quantity, quota_bounds, resource_quota
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load, PlatformWith
from tests.charts_py.managed import managed


def bounds_of(platform: Platform, name: str) -> dict[str, str]:
    (namespace,) = (space for space in platform.namespaces if space.name == name)
    return quota_bounds(platform, namespace)


def test_a_quota_bounds_every_resource_that_the_platform_offers_and_what_can_be_borrowed(
    example: Load,
) -> None:
    bounds = bounds_of(example("training"), "research-training")
    assert resource_quota("research-training", bounds) == {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": managed("quota", "research-training"),
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
    example: Load,
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


def test_a_quota_on_gke_sums_two_pools_and_allows_no_claim_unless_said(example: Load) -> None:
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


def test_a_quota_bounds_the_gpus_of_every_vendor(example: Load) -> None:
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
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("dra")
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
    platform_after: PlatformWith,
) -> None:
    said = ("storage: 20Ti", "ephemeralStorage: 2Ti", "loadBalancers: 1", "nodePorts: 2")
    bounds = bounds_of(platform_after("eks", (said[0], "\n          ".join(said))), "research")
    names = ("requests.ephemeral-storage", "services.loadbalancers", "services.nodeports")
    assert [bounds[name] for name in names] == ["2Ti", "1", "2"]


def test_the_largest_node_is_the_most_and_gpus_have_no_default(example: Load) -> None:
    platform = example("training")
    pools = tuple(platform.pool(name) for name in ("a10g-notebooks", "a100-mixed"))
    assert limit_range("research", pools) == {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": managed("limits", "research"),
        "spec": {
            "limits": [
                {
                    "type": "Container",
                    "default": {"cpu": "96", "memory": "4Gi"},
                    "defaultRequest": {"cpu": "500m", "memory": "4Gi"},
                    "max": {"cpu": "96", "memory": "1152Gi"},
                },
                {"type": "Pod", "max": {"memory": "1152Gi"}},
            ]
        },
    }


def test_the_default_request_is_no_more_than_a_share_of_the_node(example: Load) -> None:
    pool = example("training").pool("h100")
    small = replace(pool, hardware=replace(pool.hardware, cpu=1, memory=2 * 2**30))
    assert small.facts.allocations_per_node == 8
    assert limit_range("research", (pool, small))["spec"]["limits"][0] == {
        "type": "Container",
        "default": {"cpu": "192", "memory": "230Mi"},
        "defaultRequest": {"cpu": "112m", "memory": "230Mi"},
        "max": {"cpu": "192", "memory": "2Ti"},
    }


def test_the_smallest_share_that_a_file_allows_is_still_something(example: Load) -> None:
    pool = example("training").pool("h100")
    hardware = replace(pool.hardware, cpu=1, memory=MIN_BYTES_OF_HARDWARE)
    facts = replace(pool.facts, allocations_per_node=MAX_PODS_PER_NODE)
    least = replace(pool, hardware=hardware, facts=facts)
    assert limit_range("research", (least,))["spec"]["limits"][0] == {
        "type": "Container",
        "default": {"cpu": "1", "memory": "3Mi"},
        "defaultRequest": {"cpu": "3m", "memory": "3Mi"},
        "max": {"cpu": "1", "memory": "1Gi"},
    }


def test_where_disks_are_bounded_a_container_requests_some(example: Load) -> None:
    pools = (example("training").pool("h100"),)
    (container, _) = limit_range("research", pools, bounds_disks=True)["spec"]["limits"]
    assert container["defaultRequest"] == {
        "cpu": "500m",
        "ephemeral-storage": "1Gi",
        "memory": "4Gi",
    }


@given(st.integers(1, 2**52))
def test_a_quantity_reads_back_as_the_same_bytes(count: int) -> None:
    assert bytes_of(quantity(count)) == count


def test_a_quantity_has_the_largest_suffix_that_divides() -> None:
    written = [quantity(count) for count in (2**41, 1152 * 2**30, 2000 * 10**6, 1)]
    assert written == ["2Ti", "1152Gi", "1953125Ki", "1"]
