import pytest
import yaml

from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

NODE_POOL = """
apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata:
  name: pool
  namespace: node-pools
  labels: {app.kubernetes.io/managed-by: gpuplane}
  annotations: {cnrm.cloud.google.com/project-id: example}
spec:
  clusterRef: {external: projects/example/locations/europe-west4/clusters/inference}
  location: europe-west4
  autoscaling: {totalMinNodeCount: 2, totalMaxNodeCount: 6, locationPolicy: ANY}
  maxPodsPerNode: 110
  management: {autoRepair: true, autoUpgrade: true}
  upgradeSettings: {strategy: SURGE, maxSurge: 0, maxUnavailable: 1}
  nodeConfig:
    machineType: a2-ultragpu-8g
    guestAccelerator:
    - type: nvidia-a100-80gb
      count: 8
      gpuDriverInstallationConfig: {gpuDriverVersion: DEFAULT}
      gpuPartitionSize: 1g.10gb
    gvnic: {enabled: true}
    workloadMetadataConfig: {mode: GKE_METADATA}
    labels:
      gpuplane.io/gpu-model: a100
      gpuplane.io/interconnect: ethernet
      gpuplane.io/nvlink: "true"
      gpuplane.io/pool: pool
      gpuplane.io/purchase: reserved
      gpuplane.io/purpose: inference
    reservationAffinity:
      consumeReservationType: SPECIFIC_RESERVATION
      key: compute.googleapis.com/reservation-name
      values: [a100-80-2026]
    ephemeralStorageLocalSsdConfig: {localSsdCount: 8}
  nodeLocations: [europe-west4-a]
  initialNodeCount: 2
"""

RESERVED_MIG = """
    instanceType: a2-ultragpu-8g
    purpose: inference
    nodes: {min: 1, max: 6, warm: 2}
    purchase: reserved
    reservation: a100-80-2026
    zones: [europe-west4-a]
    sharing: {mig: {1g.10gb: 7}}
"""

L4 = "instanceType: g2-standard-48, nodes: {max: 20}"


def test_a_node_pool_as_a_whole(platform_with: PlatformWith, objects_of: ObjectsOf) -> None:
    objects = objects_of(platform_with("gke", RESERVED_MIG))
    assert objects == {"ContainerNodePool pool": yaml.safe_load(NODE_POOL)}


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


@pytest.mark.parametrize(
    ("purchase", "fields"),
    [
        (
            "spot",
            {
                "spot": True,
                "taint": [
                    {"key": "cloud.google.com/gke-spot", "value": "true", "effect": "NO_SCHEDULE"}
                ],
            },
        ),
        ("on-demand", {"reservationAffinity": {"consumeReservationType": "NO_RESERVATION"}}),
        ("reserved", {"reservationAffinity": {"consumeReservationType": "ANY_RESERVATION"}}),
    ],
)
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
