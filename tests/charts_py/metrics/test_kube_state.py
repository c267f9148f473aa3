"""The metrics of kube-state-metrics that rules read."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from charts_py.metrics.kube_state import KUBE_STATE_METRICS, POOL_LABEL
from charts_py.metrics.kube_state_metric import in_metrics

if TYPE_CHECKING:
    from pathlib import Path


def test_every_metric_is_served_and_of_that_type(mirror: Path) -> None:
    file = mirror / "data" / "metrics" / "kube-state-metrics.csv"
    rows = csv.DictReader(file.read_text("utf-8").splitlines())
    served = {row["name"]: row["type"] for row in rows}
    types = {metric.name: metric.type for metric in KUBE_STATE_METRICS}
    assert {name: served.get(name) for name in types} == types


def test_the_pool_is_a_label_of_nodes_in_their_spelling() -> None:
    assert POOL_LABEL == "label_gpuplane_io_pool"


@pytest.mark.parametrize(
    ("resource", "served"),
    [
        ("nvidia.com/gpu", "nvidia_com_gpu"),
        ("nvidia.com/gpu.shared", "nvidia_com_gpu_shared"),
        ("nvidia.com/mig-1g.10gb.me", "nvidia_com_mig_1g_10gb_me"),
        ("gpu.intel.com/i915", "gpu_intel_com_i915"),
    ],
)
def test_resources_are_served_with_underscores(resource: str, served: str) -> None:
    assert in_metrics(resource) == served
