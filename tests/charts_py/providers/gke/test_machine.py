from collections.abc import Callable

import pytest

from charts_py.argocd.applications import application_of
from charts_py.components.node_pools import NODE_POOLS
from charts_py.objects.document import Document
from charts_py.providers.gke.machine import accelerator_of, initial_nodes_per_zone
from gpus.catalog import load_catalog
from gpus.provider import Provider
from tests.charts_py.fixture_types import Load, ObjectsOf, PlatformWith
from tests.rows import rows_beside

each_row = rows_beside(__file__, "machine.yaml")


@pytest.mark.parametrize(
    ("instance_type", "accelerator"),
    [("a3-highgpu-8g", "nvidia-h100-80gb"), ("a3-megagpu-8g", "nvidia-h100-mega-80gb")],
)
def test_the_machine_decides_the_name_of_an_h100(
    platform_with: PlatformWith, instance_type: str, accelerator: str
) -> None:
    machine = f"instanceType: {instance_type}, interconnect: ethernet"
    pool = f"{{{machine}, purpose: batch, nodes: {{max: 1}}}}"
    assert accelerator_of(platform_with("gke", pool).pools[0].hardware) == accelerator


ACCELERATORS = load_catalog().accelerators(Provider.GKE)


def test_every_machine_that_gke_has_gpus_in_has_an_accelerator() -> None:
    models = {machine.gpu for machine in load_catalog().instance_types[Provider.GKE].values()}
    assert models <= set(ACCELERATORS)


def test_a_machine_calls_its_gpu_as_others_of_the_model_do_but_for_the_mega_one() -> None:
    machines = load_catalog().instance_types[Provider.GKE].values()
    assert {one.name for one in machines if one.accelerator != ACCELERATORS[one.gpu].type} == {
        "a3-megagpu-8g"
    }


def test_every_name_is_that_of_a_known_model() -> None:
    assert set(ACCELERATORS) <= set(load_catalog().models)


MIG_PROFILES = {
    model: accelerator.mig_profiles
    for model, accelerator in ACCELERATORS.items()
    if accelerator.mig_profiles
}


def test_only_gpus_that_have_mig_have_profiles() -> None:
    """Google's plugin may know none yet of a model that has MIG."""
    models = load_catalog().models
    assert set(MIG_PROFILES) <= {name for name in ACCELERATORS if models[name].mig is not None}
    assert {"A100-SXM-40", "A100-SXM-80", "H100-SXM", "H200-SXM", "B200"} <= set(MIG_PROFILES)


def test_the_plugin_knows_a_profile_by_its_name_alone() -> None:
    counts: dict[str, set[int]] = {}
    for profiles in MIG_PROFILES.values():
        for name, count in profiles.items():
            counts.setdefault(name, set()).add(count)
    assert {name: found for name, found in counts.items() if len(found) > 1} == {}


@pytest.mark.parametrize("model", MIG_PROFILES)
def test_the_plugin_makes_as_many_instances_of_a_profile_as_fit(model: str) -> None:
    geometry = load_catalog().models[model].mig
    assert geometry is not None
    fitting = {name: geometry.profile(name).max_count for name in MIG_PROFILES[model]}
    assert fitting == MIG_PROFILES[model]


@each_row("local_disks")
def test_a_node_pool_has_as_many_local_disks_as_its_machines_come_with(
    platform_with: PlatformWith, objects_of: ObjectsOf, machine: str, disks: int | None
) -> None:
    """As GKE's own autoscaler knows them (GoogleCloudPlatform/cluster-autoscaler at 7d25050)."""
    bought = "purchase: spot, interconnect: ethernet"
    pool = f"{{instanceType: {machine}, purpose: batch, nodes: {{max: 1}}, {bought}}}"
    (made,) = objects_of(platform_with("gke", pool)).values()
    config = made["spec"]["nodeConfig"].get("ephemeralStorageLocalSsdConfig")
    assert config == (None if disks is None else {"localSsdCount": disks})


CLUSTER = """
provider: gke
region: us-central1
kubernetes: "1.35"
version: 1.0.0
gitops: {{repository: https://github.com/example/platform.git}}
gke:
  project: example
  clusterName: training
  location: us-central1
  provisioner: {provisioner}
  workloadPolicy: racks
  networks:
    gpudirect-tcpx: {networks}
    gpudirect-tcpxo: {networks}
    roce: {networks}
pools:
  pool:
    instanceType: {machine}
    purpose: batch
    nodes: {{max: 2}}
    purchase: {purchase}
    zones: [us-central1-a]
    {fields}
"""

NETWORKS = [f"{{network: net-{number}, subnetwork: sub-{number}}}" for number in range(9)]

NEEDED = {
    "a2-ultragpu-8g": 0,
    "a3-highgpu-8g": 4,
    "a3-megagpu-8g": 8,
    "a3-ultragpu-8g": 9,
    "a4-highgpu-8g": 9,
    "a4x-highgpu-4g": 5,
}
"""https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037, examples/gke-*"""


@pytest.fixture
def spec_of(platform_of: Load, objects_of: ObjectsOf) -> Callable[..., Document]:
    def spec(provisioner: str, machine: str, fields: str = "") -> Document:
        networks = f"[{', '.join(NETWORKS)}]"
        (*_, purchase) = load_catalog().instance_types[Provider.GKE][machine].purchases
        filled = CLUSTER.format(
            provisioner=provisioner,
            machine=machine,
            networks=networks,
            purchase=purchase,
            fields=fields,
        )
        (document,) = objects_of(platform_of(filled)).values()
        made: Document = document["spec"]
        return made

    return spec


@pytest.mark.parametrize("machine", NEEDED)
def test_a_node_has_an_interface_in_each_network_that_its_gpus_talk_over(
    spec_of: Callable[..., Document], machine: str
) -> None:
    expected = [
        {
            "networkRef": {"external": f"projects/example/global/networks/net-{number}"},
            "subnetworkRef": {
                "external": f"projects/example/regions/us-central1/subnetworks/sub-{number}"
            },
        }
        for number in range(NEEDED[machine])
    ]
    config = spec_of("config-connector", machine).get("networkConfig")
    assert config == ({"additionalNodeNetworkConfigs": expected} if expected else None)


@pytest.mark.parametrize("machine", load_catalog().instance_types[Provider.GKE])
def test_only_a_node_with_such_networks_is_labelled_by_them(
    spec_of: Callable[..., Document], machine: str
) -> None:
    made = spec_of("config-connector", machine)
    labels = made["nodeConfig"]["labels"]
    assert ("networkConfig" in made) is (labels["gpuplane.io/interconnect"] != "ethernet")


@pytest.mark.parametrize("machine", load_catalog().instance_types[Provider.GKE])
def test_gke_makes_the_networks_of_a_class_and_gives_them_to_claims(
    spec_of: Callable[..., Document], machine: str
) -> None:
    made = spec_of("compute-class", machine)
    (priority,), config = made["priorities"], made["nodePoolConfig"]
    is_linked = config["nodeLabels"]["gpuplane.io/interconnect"] != "ethernet"
    found = (priority.get("acceleratorNetworkProfile"), config.get("dra"))
    assert found == (("auto", {"networking": {"enabled": True}}) if is_linked else (None, None))


@pytest.mark.parametrize("provisioner", ["config-connector", "compute-class"])
def test_a_pool_on_ethernet_has_no_further_network(
    spec_of: Callable[..., Document], provisioner: str
) -> None:
    made = spec_of(provisioner, "a3-megagpu-8g", "interconnect: ethernet")
    assert "networkConfig" not in made
    assert "acceleratorNetworkProfile" not in made.get("priorities", [{}])[0]


@each_row("racks")
def test_racks_are_placed_by_their_workload_policy(
    spec_of: Callable[..., Document], machine: str, placement: dict[str, object] | None
) -> None:
    assert spec_of("config-connector", machine).get("placementPolicy") == placement
    (priority,) = spec_of("compute-class", machine)["priorities"]
    assert priority.get("placement") == ({"policyName": "racks"} if placement else None)


L4 = "instanceType: g2-standard-4, purpose: inference"


@pytest.mark.parametrize(
    ("fields", "per_zone"),
    [
        ("nodes: {min: 2, max: 9}, zones: [europe-west4-a]", 2),
        ("nodes: {min: 2, max: 9}, zones: [europe-west4-a, europe-west4-b]", 1),
        ("nodes: {min: 3, max: 9}, zones: [europe-west4-a, europe-west4-b]", 2),
        ("nodes: {min: 1, max: 9, warm: 4}", 2),
        ("nodes: {min: 1, max: 9}", 1),
        ("nodes: {max: 9}", 0),
    ],
)
def test_the_kept_nodes_are_spread_over_the_zones(
    platform_with: PlatformWith, fields: str, per_zone: int
) -> None:
    platform = platform_with("gke", f"{{{L4}, {fields}}}")
    (pool,) = platform.pools
    assert initial_nodes_per_zone(pool.spec, platform.cluster) == per_zone


def test_a_cluster_in_one_zone_has_its_nodes_there(platform_after: PlatformWith) -> None:
    zonal = ("location: europe-west4", "location: europe-west4-b")
    kept = ("{max: 2}\n    sharing:\n      mig", "{min: 2, max: 2}\n    sharing:\n      mig")
    platform = platform_after("gke", zonal, kept)
    assert initial_nodes_per_zone(platform.pool("a100").spec, platform.cluster) == 2


def test_a_pool_that_keeps_no_node_does_not_say_what_it_starts_with(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    objects = objects_of(platform_with("gke", f"{{{L4}, nodes: {{max: 3}}}}"))
    assert "initialNodeCount" not in objects["ContainerNodePool pool"]["spec"]


def test_what_a_pool_started_with_is_never_changed(example: Load) -> None:
    platform = example("inference")
    (component,) = NODE_POOLS.plan(platform)
    spec = application_of(platform, component).spec
    assert spec["ignoreDifferences"] == [
        {
            "group": "container.cnrm.cloud.google.com",
            "kind": "ContainerNodePool",
            "jsonPointers": ["/spec/initialNodeCount"],
        }
    ]
    assert "RespectIgnoreDifferences=true" in spec["syncPolicy"]["syncOptions"]
