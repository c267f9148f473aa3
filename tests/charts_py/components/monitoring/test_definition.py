"""What Prometheus scrapes of a platform, and when it alerts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_operator.values import gpu_operator_values
from charts_py.components.monitoring.definition import MONITORING
from charts_py.components.registry import DEFINITIONS
from charts_py.constructs.render import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

OWN = "addons:\n  monitoring: {prometheus: operator}\npools:\n"
NONE = "addons:\n  monitoring: {serviceMonitors: false}\npools:\n"


def test_it_is_synced_when_nothing_can_wait_for_it_any_more() -> None:
    assert max(definition.wave for definition in DEFINITIONS) == MONITORING.wave
    assert [each.name for each in DEFINITIONS if MONITORING.name in each.depends_on] == []


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_no_other_component_holds_kinds_of_prometheus(
    example: Callable[[str], Platform], cluster: str
) -> None:
    holders = {
        name
        for name, documents in render(example(cluster)).folders.items()
        if name != "manifests"  # what the cluster itself brings
        and any(each["apiVersion"].startswith("monitoring.") for each in documents)
    }
    assert holders == {"monitoring"}


def test_where_nobody_collects_there_is_none(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    platform = platform_of(sample("gke", ("pools:\n", NONE)))
    assert list(MONITORING.plan(platform)) == []


def test_a_pod_monitoring_finds_the_exporter_of_the_gpu_operator(
    example: Callable[[str], Platform],
) -> None:
    (monitoring,) = (
        each
        for each in render(example("inference")).folders["monitoring"]
        if each["metadata"].get("namespace") == "gpu-operator"
    )
    assert monitoring == {
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
            "targetLabels": {"metadata": ["container", "node", "pod"]},
        },
    }


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
    assert (_is_watched(platform), monitor["enabled"]) == (is_managed, has_monitor)


def _is_watched(platform: Platform) -> bool:
    return any(target.name == "nvidia-dcgm-exporter" for target in platform.contribution.scraped)
