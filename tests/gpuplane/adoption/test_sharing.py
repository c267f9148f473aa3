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


def _config_map(name: str, namespace: str, data: dict[str, str]) -> FoundObject:
    metadata = {"name": name, "namespace": namespace}
    document = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
    return FoundObject(document, "the cluster")


def _config() -> SharingConfig:
    data = {
        "config.yaml": MIG,
        "four": ONE,
        "two": ONE.replace("4", "2"),
        "mixed": TWO,
        "mps": MPS,
        "none": "flags: {}",
        "x": "[",
    }
    inventory = Inventory((_config_map("sharing", "gpu-operator", data),), "the cluster")
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


def test_the_config_maps_that_the_operator_is_told_of_come_first() -> None:
    told = {"devicePlugin": ("z-sharing", "four"), "migManager": ("z-sharing", "halves")}
    settings = OperatorSettings(
        {part: {"config": {"name": name, "default": one}} for part, (name, one) in told.items()}
    )
    eight = ONE.replace("replicas: 4", "replicas: 8")
    names = {"a-sharing": {"four": eight}, "z-sharing": {"four": ONE, "config.yaml": MIG}}
    objects = tuple(_config_map(name, "gpu-operator", data) for name, data in names.items())
    read = sharing_config(Inventory(objects, "the cluster"), settings)
    assert read.origins["four"] == "ConfigMap gpu-operator/z-sharing"
    assert (read.default_plugin, read.default_mig) == ("four", "halves")
    model = load_catalog().model("A100-SXM-80")
    found = found_sharing(NodeGroup("pool"), model, read)
    assert (found.mig, found.way, found.replicas) == ({"3g.40gb": 2}, "timeSlicing", 4)


@pytest.mark.parametrize("namespaces", [(), ("nvidia",)])
def test_config_maps_of_other_namespaces_are_not_read(namespaces: tuple[str, ...]) -> None:
    settings = OperatorSettings(namespaces=namespaces) if namespaces else OperatorSettings()
    here = settings.namespaces[0]
    layout = "mig-configs: {all-balanced: [{mig-enabled: true, mig-devices: {1g.10gb: %d}}]}"
    data = [{"config.yaml": layout % 7, "four": ONE}, {"config.yaml": layout % 2}]
    name = "default-mig-parted-config"
    objects = (_config_map(name, "aaa-team", data[0]), _config_map(name, here, data[1]))
    assert sharing_config(Inventory(objects, "the cluster"), settings) == SharingConfig(
        plugin={},
        mig={"all-balanced": [{"mig-enabled": True, "mig-devices": {"1g.10gb": 2}}]},
        default_plugin=None,
        default_mig=None,
        origins={"all-balanced": f"ConfigMap {here}/{name}"},
    )
