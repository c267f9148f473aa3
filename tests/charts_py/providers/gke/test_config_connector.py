import pytest

from tests.charts_py.fixture_types import ObjectsOf, PlatformWith
from tests.rows import rows_beside

each_row = rows_beside(__file__, "config_connector.yaml")

L4 = "instanceType: g2-standard-48, nodes: {max: 20}"


def test_pods_share_a_gpu_as_the_pool_says(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    pool = f"{{{L4}, purpose: inference, sharing: {{timeSlicing: 4}}}}"
    config = objects_of(platform_with("gke", pool))["ContainerNodePool pool"]["spec"]["nodeConfig"]
    assert config["guestAccelerator"] == [
        {
            "type": "nvidia-l4",
            "count": 4,
            "gpuDriverInstallationConfig": {"gpuDriverVersion": "DEFAULT"},
            "gpuSharingConfig": {"gpuSharingStrategy": "TIME_SHARING", "maxSharedClientsPerGpu": 4},
        }
    ]


@each_row("purchases")
def test_nodes_are_bought_as_the_pool_says_and_gke_sets_the_gpu_taint_itself(
    platform_with: PlatformWith, objects_of: ObjectsOf, purchase: str, fields: dict[str, object]
) -> None:
    pool = f"{{{L4}, purpose: batch, purchase: {purchase}}}"
    config = objects_of(platform_with("gke", pool))["ContainerNodePool pool"]["spec"]["nodeConfig"]
    keys = ("spot", "taint", "reservationAffinity")
    assert {key: config[key] for key in keys if key in config} == fields


@pytest.mark.parametrize(
    ("fields", "is_compact"),
    [
        ("purpose: training, zones: [europe-west4-a]", True),
        ("purpose: training, zones: [europe-west4-a, europe-west4-b]", False),
        ("purpose: training, zones: [europe-west4-a], purchase: reserved", False),
        ("purpose: inference, zones: [europe-west4-a]", False),
    ],
)
def test_training_in_one_zone_stands_close_together_unless_it_is_reserved(
    platform_with: PlatformWith, objects_of: ObjectsOf, fields: str, is_compact: bool
) -> None:
    spec = objects_of(platform_with("gke", f"{{{L4}, {fields}}}"))["ContainerNodePool pool"]["spec"]
    assert (spec.get("placementPolicy") == {"type": "COMPACT"}) is is_compact


def test_nodes_that_are_queued_are_neither_repaired_nor_upgraded_nor_placed_together(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    platform = platform_after("gke-queued")
    queued, other = (
        objects_of(platform)[f"ContainerNodePool {name}"]["spec"] for name in ("h100", "l4")
    )
    assert {key: queued.get(key) for key in ("queuedProvisioning", "placementPolicy")} == {
        "queuedProvisioning": {"enabled": True},
        "placementPolicy": None,
    }
    assert queued["management"] == {"autoRepair": False, "autoUpgrade": False}
    assert queued["autoscaling"]["totalMinNodeCount"] == 0
    assert queued["nodeConfig"]["reservationAffinity"] == {
        "consumeReservationType": "NO_RESERVATION"
    }
    assert "queuedProvisioning" not in other


def test_google_taints_nodes_that_are_queued_by_itself(platform_after: PlatformWith) -> None:
    pool = platform_after("gke-queued").pool("h100")
    queued = "cloud.google.com/gke-queued=true:NoSchedule"
    assert queued in {str(taint) for taint in pool.facts.taints}
    assert pool.own_taints == ()
