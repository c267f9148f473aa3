"""The zone of node pools on GKE that are bound to one."""

from tests.charts_py.fixture_types import FaultsOf, PlatformWith

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
