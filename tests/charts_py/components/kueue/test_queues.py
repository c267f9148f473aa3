"""What queues of Kueue add to the rights of a team."""

from typing import Any

import pytest

from charts_py.cluster_file.queues import Borrowing
from charts_py.components.kueue.queues import (
    KUEUE_QUEUES,
    local_queue,
    topology,
    workload_priority_class,
)
from charts_py.components.kueue.quotas import cluster_queue, cohorts, resource_flavor
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, TeamNamespace
from tests.charts_py.fixture_types import PlatformWith
from tests.charts_py.managed import GPU_TOLERATION, managed


def test_members_of_a_team_see_their_jobs_wait_and_its_admins_have_one_tried_again() -> None:
    access = KUEUE_QUEUES.contribution.access
    seen = {(each.group, each.resources, each.use.name) for each in access}
    assert seen == {
        ("kueue.x-k8s.io", ("localqueues", "workloads"), "READ"),
        ("kueue.x-k8s.io", ("workloads",), "ADJUST"),
        ("visibility.kueue.x-k8s.io", ("localqueues/pendingworkloads",), "READ"),
    }


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    """Return the platform of the sample with queues."""
    return platform_after("queues")


def _namespace(platform: Platform, name: str) -> TeamNamespace:
    return next(each for each in platform.namespaces if each.name == name)


def _spec(document: Document) -> dict[str, Any]:
    spec: dict[str, Any] = document["spec"]
    return spec


def _quota(name: str, nominal: str, **limits: str) -> dict[str, Any]:
    return {"name": name, "nominalQuota": nominal, **limits}


def test_a_flavor_is_the_nodes_of_one_pool_and_tolerates_what_every_pod_there_must(
    platform: Platform,
) -> None:
    assert _spec(resource_flavor(platform.pool("h100"))) == {
        "nodeLabels": {
            "gpuplane.io/pool": "h100",
            "gpuplane.io/purchase": "on-demand",
            "gpuplane.io/gpu-model": "h100",
            "gpuplane.io/interconnect": "efa",
            "gpuplane.io/nvlink": "true",
        },
        "tolerations": [GPU_TOLERATION],
    }


def test_a_job_brings_the_toleration_of_spot_nodes_itself(platform: Platform) -> None:
    spec = _spec(resource_flavor(platform.pool("h100-spot")))
    spot = {"key": "gpuplane.io/purchase", "value": "spot", "effect": "NoSchedule"}
    assert spec["nodeTaints"] == [spot]
    assert [toleration["key"] for toleration in spec["tolerations"]] == ["nvidia.com/gpu"]


def test_a_namespace_has_its_quota_of_each_pool_in_the_order_of_the_file(
    platform: Platform,
) -> None:
    namespace = _namespace(platform, "research-training")
    assert _spec(cluster_queue(platform, namespace, Borrowing.CLUSTER)) == {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "research-training"}},
        "cohortName": "research",
        "resourceGroups": [
            {
                "coveredResources": ["nvidia.com/gpu"],
                "flavors": [
                    {
                        "name": "h100",
                        "resources": [_quota("nvidia.com/gpu", "16", lendingLimit="4")],
                    },
                    {"name": "h100-spot", "resources": [_quota("nvidia.com/gpu", "8")]},
                ],
            }
        ],
        "flavorFungibility": {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "TryNextFlavor"},
        "preemption": {"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"},
    }


def test_pools_that_offer_other_resources_are_groups_of_their_own(platform: Platform) -> None:
    spec = _spec(cluster_queue(platform, _namespace(platform, "serving"), Borrowing.CLUSTER))
    instances = ["nvidia.com/mig-1g.5gb", "nvidia.com/mig-2g.10gb", "nvidia.com/mig-3g.20gb"]
    assert spec["resourceGroups"] == [
        {
            "coveredResources": instances,
            "flavors": [
                {
                    "name": "a100-mixed",
                    "resources": [
                        _quota(resource, count)
                        for resource, count in zip(instances, ("8", "4", "4"), strict=True)
                    ],
                }
            ],
        },
        {
            "coveredResources": ["nvidia.com/gpu"],
            "flavors": [
                {"name": "h100", "resources": [_quota("nvidia.com/gpu", "8", borrowingLimit="0")]}
            ],
        },
    ]


@pytest.mark.parametrize(
    ("borrowing", "limits"),
    [(Borrowing.CLUSTER, {"borrowingLimit": "0", "lendingLimit": "0"}), (Borrowing.NONE, {})],
)
def test_on_racks_there_is_any_number_of_channels_which_nobody_lends(
    platform_after: PlatformWith, borrowing: Borrowing, limits: dict[str, str]
) -> None:
    racks = platform_after("nvl72", ("pools:\n", "queues: {}\npools:\n"))
    spec = _spec(cluster_queue(racks, _namespace(racks, "rack-training"), borrowing))
    channels = _quota("gpuplane.io/nvlink-channel", "1G", **limits)
    assert spec["resourceGroups"] == [
        {
            "coveredResources": ["gpuplane.io/nvlink-channel", "nvidia.com/gpu"],
            "flavors": [{"name": "gb200", "resources": [channels, _quota("nvidia.com/gpu", "72")]}],
        }
    ]


def test_where_nothing_is_borrowed_a_queue_has_neither_cohort_nor_limits(
    platform: Platform,
) -> None:
    spec = _spec(cluster_queue(platform, _namespace(platform, "serving"), Borrowing.NONE))
    (_, whole) = spec["resourceGroups"]
    assert whole["flavors"][0]["resources"] == [_quota("nvidia.com/gpu", "8")]
    assert ("cohortName" in spec, spec["preemption"]) == (
        False,
        {"withinClusterQueue": "LowerPriority"},
    )


@pytest.mark.parametrize(
    ("borrowing", "expected"),
    [
        (Borrowing.NONE, {}),
        (Borrowing.TEAM, {"research": {}, "serving": {}}),
        (
            Borrowing.CLUSTER,
            {
                "all-teams.gpuplane.io": {},
                "research": {"parentName": "all-teams.gpuplane.io", "fairSharing": {"weight": 2}},
                "serving": {"parentName": "all-teams.gpuplane.io", "fairSharing": {"weight": 1}},
            },
        ),
    ],
)
def test_who_lends_to_whom_is_in_one_cohort(
    platform: Platform, borrowing: Borrowing, expected: dict[str, Any]
) -> None:
    found = {each["metadata"]["name"]: each["spec"] for each in cohorts(platform, borrowing)}
    assert found == expected


def test_a_rung_of_the_ladder_has_the_same_value_for_queues(platform: Platform) -> None:
    rung = platform.cluster.priorities["training"]
    assert workload_priority_class("training", rung) == {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "WorkloadPriorityClass",
        "metadata": managed("training"),
        "value": rung.value,
        "description": rung.description,
    }


def test_jobs_that_name_no_queue_wait_in_that_of_their_namespace() -> None:
    queue = local_queue("research-training")
    assert (queue["metadata"]["name"], queue["spec"]) == (
        "default",
        {"clusterQueue": "research-training"},
    )


HOSTNAME = "kubernetes.io/hostname"


def layers(*numbers: int) -> list[str]:
    return [f"topology.k8s.aws/network-node-layer-{number}" for number in numbers]


@pytest.mark.parametrize(
    ("pool", "levels"),
    [
        ("b200", [*layers(1, 2, 3, 4), HOSTNAME]),
        ("h100", [*layers(2, 3), HOSTNAME]),
        ("l4", [HOSTNAME]),
    ],
)
def test_a_topology_goes_from_what_the_file_or_the_provider_says_down_to_the_node(
    platform_after: PlatformWith, pool: str, levels: list[str]
) -> None:
    platform = platform_after("topology")
    assert topology(platform, platform.pool(pool)) == {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Topology",
        "metadata": managed(pool),
        "spec": {"levels": [{"nodeLabel": level} for level in levels]},
    }
    assert resource_flavor(platform.pool(pool))["spec"]["topologyName"] == pool


def test_a_pool_without_topology_is_placed_anywhere(platform_after: PlatformWith) -> None:
    platform = platform_after("queues")
    assert ["topologyName" in resource_flavor(pool)["spec"] for pool in platform.pools] == [
        False
    ] * len(platform.pools)


def test_racks_that_nvlink_joins_are_a_level_where_their_machines_say_so(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after(
        "nvl72",
        ("pools:\n", "queues: {}\npools:\n"),
        ("    interconnect: infiniband\n", "    interconnect: infiniband\n    topology: {}\n"),
    )
    levels = topology(platform, platform.pool("gb200"))["spec"]["levels"]
    assert [level["nodeLabel"] for level in levels] == ["nvidia.com/gpu.clique", HOSTNAME]
