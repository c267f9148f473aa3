"""How the GPUs of a group of nodes are found to be shared."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

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


ROWS = yaml.safe_load(Path(__file__).with_name("shared_gpus.yaml").read_bytes())


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_sharing_follows_from_labels_and_what_they_name(row: dict[str, dict[str, Any]]) -> None:
    model = load_catalog().model("A100-SXM-80")
    group = NodeGroup("pool", labels=row["labels"])
    found = asdict(found_sharing(group, model, _config()))
    listed = {name: list(one) if isinstance(one, tuple) else one for name, one in found.items()}
    whole: dict[str, Any] = {"mig": {}, "way": None, "replicas": 1, "origins": [], "notes": []}
    assert listed == whole | row["found"]


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
