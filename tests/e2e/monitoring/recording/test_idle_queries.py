"""What culling asks of Prometheus, where a team has it scrape what tells of pods of others."""

from pathlib import Path

import pytest

from charts_py.components.idle_gpus.objects import queries
from tests.e2e.monitoring.promtool import Promtool
from tests.e2e.monitoring.recording.recording import recordings_of

GIVEN = {
    'kube_node_labels{node="train-1", label_gpuplane_io_pool="h100"}': "1x90",
    'kube_node_labels{node="train-2", label_gpuplane_io_pool="h100"}': "1x90",
    'kube_node_labels{node="notebooks-1", label_gpuplane_io_pool="a10g-shared"}': "1x90",
}
HOLDERS = {
    "busy": ("train-1", "nvidia_com_gpu"),
    "idle": ("train-1", "nvidia_com_gpu"),
    "shared": ("notebooks-1", "nvidia_com_gpu_shared"),
}
"""Pods, and of which node they hold what."""


def _held(pod: str, node: str, resource: str) -> dict[str, str]:
    requests = f'namespace="serving", pod="{pod}", container="a", node="{node}"'
    resources = f'resource="{resource}", unit="integer"'
    return {
        f"kube_pod_container_resource_requests{{{requests}, {resources}}}": "1x90",
        f'kube_pod_status_phase{{namespace="serving", pod="{pod}", phase="Running"}}': "1x90",
    }


def _row(pod: str, node: str, gpu: str, scraped: str) -> str:
    """Return a row as it is scraped without honorLabels."""
    holder = f'exported_namespace="serving", exported_pod="{pod}"'
    gpu_of = f'UUID="{gpu}", node="{node}", namespace="{scraped}"'
    return f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{gpu_of}, {holder}}}"


@pytest.mark.parametrize(
    ("pod", "node"),
    [("busy", "train-1"), ("shared", "train-1"), ("shared", "train-2")],
    ids=["works", "shares", "shares, beside another"],
)
def test_a_pod_is_not_idle_by_a_gpu_that_somebody_else_tells_of(
    pod: str, node: str, promtool: Promtool, tmp_path: Path
) -> None:
    series = dict(GIVEN)
    for name, held in HOLDERS.items():
        series.update(_held(name, *held))
    series[_row("busy", "train-1", "GPU-0", "gpu-operator")] = "0.9x90"
    series[_row("idle", "train-1", "GPU-1", "gpu-operator")] = "0+0x90"
    series[_row(pod, node, "GPU-forged", "research-training")] = "0+0x90"
    records = {queries().idle_gpus: {'{namespace="serving", pod="idle"}': 1}}
    case = {"series": series, "at": "90m", "records": records}
    (recording,) = recordings_of("idle", {"tests": {pod: case}})
    recording.play(promtool, tmp_path)
