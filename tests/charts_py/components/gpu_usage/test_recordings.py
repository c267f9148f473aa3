"""The cases that promtool plays have series as their exporters serve them."""

import re

import pytest

from charts_py.metrics.series import known_series
from tests.e2e.monitoring.recording.recording import Recording, read_recordings

OF_TARGETS = {"instance", "job", "namespace", "pod", "node"}
"""What Prometheus adds; the node by the relabelling of the exporter's ServiceMonitor."""
OF_ROWS = {
    "gpu",
    "UUID",
    "pci_bus_id",
    "device",
    "modelName",
    "Hostname",
    "GPU_I_PROFILE",
    "GPU_I_ID",
    "vgpu",
    "exported_namespace",
    "exported_pod",
    "exported_container",
}
"""Of NVIDIA's exporter, scraped without honorLabels: `internal/pkg/rendermetrics` and
`internal/pkg/transformation` of https://github.com/NVIDIA/dcgm-exporter at 4.5.3-4.8.2."""

OF_AMD_ROWS = set(
    re.findall(
        r"\w+",
        """
        gpu_id card_model gpu_partition_id gpu_compute_partition_type gpu_memory_partition_type
        deployment_mode serial_number pod namespace container job_id job_user job_partition
        hostname exported_namespace exported_pod exported_container
        """,
    )
)
"""`gpuMandatoryLables` in pkg/amdgpu/gpuagent/gpuagent_gpu_metrics.go of AMD's exporter; `gpu_uuid`
is none of them, and `gpu_id` is the number of the device on its node."""

SERVED = {metric.name: {*metric.labels} for metric in known_series().kube_state} | {
    counter.name: OF_ROWS for counter in known_series().dcgm
}
SERVED |= {metric.name: OF_AMD_ROWS for metric in known_series().amd}


@pytest.mark.parametrize(
    "recording", list(read_recordings()), ids=lambda each: f"{each.topic}: {each.name}"
)
def test_a_series_has_no_labels_but_those_that_are_served(recording: Recording) -> None:
    unserved = {
        series: labels - SERVED[name] - OF_TARGETS
        for series in recording.series
        for name, labels in [_read(series)]
        if labels - SERVED[name] - OF_TARGETS
    }
    assert unserved == {}


def _read(series: str) -> tuple[str, set[str]]:
    name, _, labels = series.partition("{")
    return name, set(re.findall(r"(\w+)=", labels))
