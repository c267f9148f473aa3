import pytest

from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

A100 = "instanceType: Standard_NC24ads_A100_v4, purpose: batch, nodes: {max: 1}"


@pytest.mark.parametrize(
    ("layout", "profile"),
    [("{2g.20gb: 3}", "MIG2g"), ("{3g.40gb: 2}", "MIG3g"), ("{7g.80gb: 1}", "MIG7g")],
)
def test_the_profile_is_named_by_its_compute_slices(
    platform_with: PlatformWith, objects_of: ObjectsOf, layout: str, profile: str
) -> None:
    objects = objects_of(platform_with("aks", f"{{{A100}, sharing: {{mig: {layout}}}}}"))
    assert objects["ManagedClustersAgentPool pool"]["spec"]["gpuInstanceProfile"] == profile


@pytest.mark.parametrize(
    ("fields", "settings"),
    [
        (A100, None),
        (
            f"{A100}, numa: best-effort",
            {"cpuManagerPolicy": "static", "topologyManagerPolicy": "best-effort"},
        ),
    ],
)
def test_kubelets_align_gpus_and_cpus_where_the_pool_says_so(
    platform_with: PlatformWith, objects_of: ObjectsOf, fields: str, settings: object
) -> None:
    (agent_pool,) = objects_of(platform_with("aks", f"{{{fields}}}")).values()
    assert agent_pool["spec"].get("kubeletConfig") == settings


def test_a_reservation_is_a_group_in_the_cluster_s_resource_group(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    bought = "purchase: reserved, reservation: gpus"
    spec = objects_of(platform_with("aks", f"{{{A100}, {bought}}}"))[
        "ManagedClustersAgentPool pool"
    ]["spec"]
    assert spec["capacityReservationGroupReference"] == {
        "armId": "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpu-platform"
        "/providers/Microsoft.Compute/capacityReservationGroups/gpus"
    }


def test_nodes_are_upgraded_as_the_cluster_says(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    upgrade = "  upgrade: {maxSurge: 20%, drainTimeoutMinutes: 1440}\n"
    objects = objects_of(platform_after("aks", ("pools:\n", f"{upgrade}pools:\n")))
    assert [one["spec"]["upgradeSettings"] for one in objects.values()] == [
        {"maxSurge": "20%", "drainTimeoutInMinutes": 1440}
    ] * len(objects)


@pytest.mark.parametrize(
    ("pool", "resources"),
    [
        (A100, {"pods": "110"}),
        (f"{A100}, maxPods: 30", {"pods": "30"}),
        (f"{A100}, maxPods: 250", {"pods": "250"}),
        (f"{A100}, sharing: {{timeSlicing: 4}}", {"nvidia.com_gpu": "4", "pods": "110"}),
    ],
)
def test_a_pool_grows_from_nothing_by_what_its_nodes_will_offer(
    platform_with: PlatformWith, objects_of: ObjectsOf, pool: str, resources: dict[str, str]
) -> None:
    (agent_pool,) = objects_of(platform_with("aks", f"{{{pool}}}")).values()
    prefix = "k8s.io_cluster-autoscaler_node-template_resources_"
    tags = agent_pool["spec"]["tags"].items()
    assert {key.removeprefix(prefix): v for key, v in tags if key.startswith(prefix)} == resources


@pytest.mark.parametrize(
    ("purpose", "options"),
    [
        ("training", {"scaledowngpuutilizationthreshold": "0"}),
        ("batch", {"scaledowngpuutilizationthreshold": "0"}),
        ("notebooks", {"scaledowngpuutilizationthreshold": "0"}),
        ("inference", {}),
    ],
)
def test_only_nodes_of_inference_are_drained_while_something_uses_them(
    platform_with: PlatformWith, objects_of: ObjectsOf, purpose: str, options: dict[str, str]
) -> None:
    pool = A100.replace("batch", purpose)
    (agent_pool,) = objects_of(platform_with("aks", f"{{{pool}}}")).values()
    prefix = "k8s.io_cluster-autoscaler_node-template_autoscaling-options_"
    tags = agent_pool["spec"]["tags"].items()
    assert {key.removeprefix(prefix): v for key, v in tags if key.startswith(prefix)} == options


@pytest.mark.parametrize("purchase", ["on-demand", "reserved", "spot"])
def test_only_pools_that_aks_adds_nodes_to_say_how_they_are_upgraded(
    platform_with: PlatformWith, objects_of: ObjectsOf, purchase: str
) -> None:
    bought = "reserved, reservation: gpus" if purchase == "reserved" else purchase
    (agent_pool,) = objects_of(platform_with("aks", f"{{{A100}, purchase: {bought}}}")).values()
    says_upgrade = "upgradeSettings" in agent_pool["spec"]
    assert says_upgrade is (agent_pool["spec"].get("scaleSetPriority") != "Spot")
