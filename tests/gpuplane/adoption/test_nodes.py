"""Which GPU model nodes have, and how many of it."""

from collections.abc import Mapping

import pytest

from gpuplane.adoption.nodes import gpus_per_node, known_model
from gpus.catalog import load_catalog

MODELS: Mapping[str, tuple[dict[str, str], str | None, str | None]] = {
    "an instance type": ({}, "p5.48xlarge", "H100-SXM"),
    "a product": ({"nvidia.com/gpu.product": "NVIDIA-H200"}, None, "H200-SXM"),
    "a shared one": ({"nvidia.com/gpu.product": "Tesla-T4-SHARED"}, None, "T4"),
    "a part of one": (
        {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"},
        None,
        "A100-SXM-40",
    ),
    "one of AMD": ({"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM"}, None, "MI300X"),
    "an accelerator of GKE": (
        {"cloud.google.com/gke-accelerator": "nvidia-a100-80gb"},
        "n1-standard-8",
        "A100-SXM-80",
    ),
    "a family of one model": ({"gpuplane.io/gpu-model": "l40s"}, None, "L40S"),
    "a family of several": ({"gpuplane.io/gpu-model": "h100"}, None, None),
    "one that no table has": ({"nvidia.com/gpu.product": "NVIDIA-X"}, "m7i.large", None),
}


@pytest.mark.parametrize(("labels", "instance_type", "name"), MODELS.values(), ids=MODELS.keys())
def test_a_model_is_known_by(
    labels: dict[str, str], instance_type: str | None, name: str | None
) -> None:
    model = known_model(labels, (instance_type,), load_catalog())
    assert (None if model is None else model.name) == name


_SEVENTHS = {"1g.10gb": 7}
COUNTS: Mapping[str, tuple[dict[str, str], dict[str, str], dict[str, int], int, int | None]] = {
    "its label": ({"nvidia.com/gpu.count": "8"}, {"nvidia.com/gpu": "32"}, {}, 4, 8),
    "a label that counts partitions": (
        {"nvidia.com/gpu.count": "14", "nvidia.com/gpu.product": "X-MIG-1g.10gb"},
        {},
        _SEVENTHS,
        1,
        2,
    ),
    "whole GPUs": ({}, {"nvidia.com/gpu": "4"}, {}, 1, 4),
    "shares by another name": ({}, {"nvidia.com/gpu.shared": "16"}, {}, 4, 4),
    "shares by the same name": ({}, {"nvidia.com/gpu": "16"}, {}, 4, 4),
    "partitions": ({}, {"nvidia.com/mig-1g.10gb": "56"}, _SEVENTHS, 1, 8),
    "shares of partitions": ({}, {"nvidia.com/mig-1g.10gb.shared": "28"}, _SEVENTHS, 2, 2),
    "no resource": ({}, {}, {}, 1, None),
    "a number that fits no GPU": ({}, {"nvidia.com/gpu": "5"}, {}, 2, None),
}


@pytest.mark.parametrize(
    ("labels", "capacity", "layout", "replicas", "gpus"), COUNTS.values(), ids=COUNTS.keys()
)
def test_gpus_are_counted_by(
    labels: dict[str, str],
    capacity: dict[str, str],
    layout: dict[str, int],
    replicas: int,
    gpus: int | None,
) -> None:
    model = load_catalog().model("H100-SXM")
    assert gpus_per_node(model, labels, capacity, layout, replicas) == gpus
