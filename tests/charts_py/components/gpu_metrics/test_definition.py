"""What Google's managed collection scrapes of the GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_metrics.definition import GPU_METRICS
from charts_py.components.gpu_operator.values import gpu_operator_values
from charts_py.rendering.render import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

OWN = "addons:\n  monitoring: {prometheus: operator}\npools:\n"
NONE = "addons:\n  monitoring: {serviceMonitors: false}\npools:\n"


def test_a_pod_monitoring_finds_the_exporter_of_the_gpu_operator(
    example: Callable[[str], Platform],
) -> None:
    assert render(example("inference")).folders["gpu-metrics"] == (
        {
            "apiVersion": "monitoring.googleapis.com/v1",
            "kind": "PodMonitoring",
            "metadata": {
                "name": "nvidia-dcgm-exporter",
                "namespace": "gpu-operator",
                "labels": {
                    "app": "nvidia-dcgm-exporter",
                    "app.kubernetes.io/managed-by": "gpuplane",
                },
            },
            "spec": {
                "selector": {"matchLabels": {"app": "nvidia-dcgm-exporter"}},
                "endpoints": [
                    {"port": "metrics", "path": "/metrics", "scheme": "http", "interval": "30s"}
                ],
                "targetLabels": {"metadata": ["container", "pod"]},
            },
        },
    )


@pytest.mark.parametrize(
    ("changed", "is_managed", "has_monitor"),
    [("pools:\n", True, False), (OWN, False, True), (NONE, False, False)],
    ids=["default", "operator", "none"],
)
def test_the_exporter_is_scraped_once_or_by_nobody(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    *,
    changed: str,
    is_managed: bool,
    has_monitor: bool,
) -> None:
    platform = platform_of(sample("gke", ("pools:\n", changed)))
    monitor = gpu_operator_values(platform)["dcgmExporter"]["serviceMonitor"]
    assert (GPU_METRICS.is_wanted(platform), monitor["enabled"]) == (is_managed, has_monitor)
