import pytest

from charts_py.providers.gke.machine import accelerator_of
from tests.charts_py.fixture_types import FaultsOf, PlatformWith

COMPUTE_CLASS = (
    "location: europe-west4\n",
    "location: europe-west4\n  provisioner: compute-class\n",
)
NEWER = ('"1.34"', '"1.35"')


@pytest.mark.parametrize("field", ["min", "warm"])
def test_a_compute_class_keeps_no_nodes(faults_after: FaultsOf, field: str) -> None:
    kept = (
        "purpose: notebooks\n    nodes: {max: 2}",
        f"purpose: notebooks\n    nodes: {{max: 2, {field}: 1}}",
    )
    assert faults_after("gke", COMPUTE_CLASS, NEWER, kept) == (
        f"sample.yaml:22: pools.l4.nodes.{field}: 1 in a ComputeClass, which keeps no idle "
        'nodes; allowed: 0, or gke.provisioner "config-connector"'
    )


def test_a_pool_is_not_the_compute_class_of_the_whole_cluster(faults_after: FaultsOf) -> None:
    assert faults_after("gke", COMPUTE_CLASS, NEWER, ("  l4:\n", "  default:\n")) == (
        'sample.yaml:19: pools.default: "default" is the ComputeClass of all pods that select '
        "none; allowed: another name"
    )


WITHOUT_ZONE = ("    zones: [us-central1-a]\n    nodes: {max: 4}\n", "    nodes: {max: 4}\n")
ZONAL = ("location: us-central1\n", "location: us-central1-{}\n")


def test_pools_of_a_zonal_cluster_are_in_its_zone(platform_after: PlatformWith) -> None:
    zonal = (ZONAL[0], ZONAL[1].format("a"))
    pools = platform_after("gke-roce", WITHOUT_ZONE, zonal).pools
    assert {pool.name: pool.spec.zones for pool in pools} == {
        "h200": (),
        "rack": ("us-central1-a",),
    }


def test_the_zone_of_the_cluster_is_compared_with_those_of_pools(faults_after: FaultsOf) -> None:
    zonal = (ZONAL[0], ZONAL[1].format("b"))
    assert faults_after("gke-roce", WITHOUT_ZONE, zonal) == (
        "sample.yaml:35: pools.rack.zones: us-central1-a; h200 is in us-central1-b, and both talk "
        'over gke.networks.roce; allowed: us-central1-b, or interconnect "ethernet"'
    )


def test_gke_chooses_the_zone_of_a_class(platform_after: PlatformWith) -> None:
    as_classes = (ZONAL[0], f"{ZONAL[0]}  provisioner: compute-class\n")
    assert len(platform_after("gke-roce", WITHOUT_ZONE, as_classes).pools) == 2


def test_machines_that_are_not_sold_on_demand_start_for_a_job(platform_after: PlatformWith) -> None:
    ultra = "instanceType: a3-ultragpu-8g\n    purchase: flex-start\n"
    platform = platform_after("gke-queued", ("instanceType: a3-highgpu-8g\n", ultra))
    pool = platform.pool("h100")
    assert (pool.spec.purchase, pool.spec.nodes.queued) == ("flex-start", True)
    assert [str(taint) for taint in pool.facts.provider_taints] == [
        "nvidia.com/gpu=present:NoSchedule",
        "cloud.google.com/gke-queued=true:NoSchedule",
    ]


def test_what_is_described_exists_on_gke(platform_after: PlatformWith) -> None:
    row = "{gpu: GB300, gpus: 4, cpu: 144, memory: 960Gi, accelerator: nvidia-gb300}"
    described = f"hardware: {{instanceTypes: {{gke: {{a4x-maxgpu-4g: {row}}}}}}}\npools:\n"
    pool = "{instanceType: a4x-maxgpu-4g, purpose: training, purchase: reserved, nodes: {max: 18}}"
    platform = platform_after("gke", ("pools:\n", f"{described}  gb300: {pool}\n"))
    assert accelerator_of(platform.pool("gb300").hardware) == "nvidia-gb300"
