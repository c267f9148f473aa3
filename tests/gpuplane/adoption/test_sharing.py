"""How the GPUs of a group of nodes are found to be shared."""

import pytest

from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.platform_fields import OperatorSettings
from gpuplane.adoption.sharing import FoundSharing, SharingConfig, found_sharing, sharing_config
from gpus.catalog import load_catalog

MIG = """\
mig-configs:
  halves:
    - {devices: all, mig-enabled: true, mig-devices: {3g.40gb: 2}}
  uneven:
    - {devices: [0], mig-enabled: true, mig-devices: {7g.80gb: 1}}
    - {devices: [1], mig-enabled: false}
  whole:
    - {devices: all, mig-enabled: false}
"""
PLUGIN = "sharing: {{timeSlicing: {{resources: [{}]}}}}"
ONE = PLUGIN.format("{name: nvidia.com/gpu, replicas: 4}")
TWO = PLUGIN.format(
    "{name: nvidia.com/gpu, replicas: 4}, {name: nvidia.com/mig-1g.10gb, replicas: 2}"
)
MPS = ONE.replace("timeSlicing", "mps")


def _config() -> SharingConfig:
    data = {
        "config.yaml": MIG,
        "four": ONE,
        "mixed": TWO,
        "mps": MPS,
        "none": "flags: {}",
        "x": "[",
    }
    metadata = {"name": "sharing", "namespace": "gpu-operator"}
    document = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
    inventory = Inventory((FoundObject(document, "the cluster"),), "the cluster")
    return sharing_config(inventory, OperatorSettings())


MAP = "ConfigMap gpu-operator/sharing"
ROWS: dict[str, tuple[dict[str, str], FoundSharing]] = {
    "nothing": ({}, FoundSharing()),
    "a configuration of MIG": (
        {"nvidia.com/mig.config": "halves"},
        FoundSharing({"3g.40gb": 2}, origins=(f"halves of {MAP}",)),
    ),
    "one that switches it off": (
        {"nvidia.com/mig.config": "whole"},
        FoundSharing({}, origins=(f"whole of {MAP}",)),
    ),
    "one by the name that the MIG manager gives": (
        {"nvidia.com/mig.config": "all-1g.10gb"},
        FoundSharing({"1g.10gb": 7}, origins=("label nvidia.com/mig.config",)),
    ),
    "one that cuts GPUs of a node in different ways": (
        {"nvidia.com/mig.config": "uneven"},
        FoundSharing(
            notes=(
                (
                    f"not carried over: MIG configuration uneven of {MAP} cuts the GPUs of a node "
                    "in different ways; a pool cuts them all alike"
                ),
            )
        ),
    ),
    "one that was not read": (
        {"nvidia.com/mig.config": "ours"},
        FoundSharing(
            notes=(
                (
                    "sharing.mig is unknown: label nvidia.com/mig.config names ours, whose "
                    "ConfigMap was not read; export it too, or set it"
                ),
            )
        ),
    ),
    "a product that names a partition": (
        {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB-MIG-2g.20gb-SHARED"},
        FoundSharing({"2g.20gb": 3}, origins=("label nvidia.com/gpu.product",)),
    ),
    "a partition of GKE whose clients take turns": (
        {
            "cloud.google.com/gke-gpu-partition-size": "1g.10gb",
            "cloud.google.com/gke-gpu-sharing-strategy": "time-sharing",
            "cloud.google.com/gke-max-shared-clients-per-gpu": "3",
        },
        FoundSharing(
            {"1g.10gb": 7},
            "timeSlicing",
            3,
            (
                "label cloud.google.com/gke-gpu-partition-size",
                "label cloud.google.com/gke-max-shared-clients-per-gpu",
            ),
        ),
    ),
    "a configuration of the device plugin": (
        {"nvidia.com/device-plugin.config": "four"},
        FoundSharing(way="timeSlicing", replicas=4, origins=(f"four of {MAP}",)),
    ),
    "one of MPS": (
        {"nvidia.com/device-plugin.config": "mps"},
        FoundSharing(way="mps", replicas=4, origins=(f"mps of {MAP}",)),
    ),
    "one that shares nothing": ({"nvidia.com/device-plugin.config": "none"}, FoundSharing()),
    "one of several numbers": (
        {"nvidia.com/device-plugin.config": "mixed"},
        FoundSharing(
            notes=(
                (
                    f"not carried over: mixed of {MAP} shares by timeSlicing 2 and timeSlicing 4; "
                    "a pool has one"
                ),
            )
        ),
    ),
    "what GPU feature discovery counts": (
        {"nvidia.com/gpu.sharing-strategy": "mps", "nvidia.com/gpu.replicas": "6"},
        FoundSharing(way="mps", replicas=6, origins=("label nvidia.com/gpu.replicas",)),
    ),
}


@pytest.mark.parametrize(("labels", "found"), ROWS.values(), ids=ROWS.keys())
def test_sharing_follows_from_labels_and_what_they_name(
    labels: dict[str, str], found: FoundSharing
) -> None:
    model = load_catalog().model("A100-SXM-80")
    assert found_sharing(NodeGroup("pool", labels=labels), model, _config()) == found


def test_aks_names_a_profile_by_its_compute_slices() -> None:
    model = load_catalog().model("A100-PCIe-80")
    group = NodeGroup("pool", gpu_profile="MIG3g")
    assert found_sharing(group, model, _config()) == FoundSharing(
        {"3g.40gb": 2}, origins=("gpuInstanceProfile MIG3g",)
    )


def test_gpus_of_other_vendors_are_not_shared() -> None:
    model = load_catalog().model("MI300X")
    labels = {"nvidia.com/device-plugin.config": "four"}
    assert found_sharing(NodeGroup("pool", labels=labels), model, _config()) == FoundSharing()
