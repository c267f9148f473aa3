"""What goes wrong in a cluster, as the series show it that Prometheus scrapes."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from charts_py.components.node_readiness.controller import STARTUP_TAINT
from tests.e2e.monitoring.exporters import Exporter, series
from tests.e2e.monitoring.stack import (
    EXPORTER,
    IDLE_GPU,
    KUBE_STATE_METRICS,
    NODE,
    USED_GPU,
    WEBHOOKS,
)

_PLATFORM = "#gpu-platform"


@dataclass(frozen=True, slots=True)
class Fault:
    """A series that has a value as long as something is wrong."""

    alert: str
    """What is to fire."""
    pod: str
    """Who serves the series."""
    row: str
    channel: str = _PLATFORM
    """Where people are to hear of it."""
    value: float = 1


FAULTS = (
    Fault(
        "GpuplaneMigLayoutFailed",
        KUBE_STATE_METRICS,
        series("kube_node_labels", {"node": NODE, "label_nvidia_com_mig_config_state": "failed"}),
    ),
    Fault(
        "GpuplaneNodeNotReady",
        KUBE_STATE_METRICS,
        series("kube_node_spec_taint", {"node": "h100-2", "key": STARTUP_TAINT.key}),
    ),
    Fault(
        "GpuplaneWebhookReloadFailed",
        WEBHOOKS[0],
        series("gpuplane_webhook_reload_failing", {"what": "settings"}),
    ),
    Fault(
        "GpuplaneGpuNeedsReset",
        EXPORTER,
        series("DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION", IDLE_GPU.labels),
        "#gpu-on-call",
    ),
    Fault(
        "GpuplaneGpuRemapPending",
        EXPORTER,
        series("DCGM_FI_DEV_ROW_REMAP_PENDING", USED_GPU.labels),
    ),
    Fault(
        "GpuplaneGpuNearlyTooHot",
        EXPORTER,
        series("DCGM_FI_DEV_GPU_TEMP_LIMIT", USED_GPU.labels),
        value=3,
    ),
    Fault(
        "GpuplaneGpuApplicationError",
        EXPORTER,
        series("DCGM_EXP_XID_ERRORS_COUNT", {**USED_GPU.labels, "xid": "31"}),
        "#gpu-research",
    ),
)


@contextmanager
def injected(faults: Collection[Fault], exporters: Mapping[str, Exporter]) -> Iterator[None]:
    """Have series show faults for as long as a context lasts."""
    well = {pod: dict(exporter.rows) for pod, exporter in exporters.items()}
    for fault in faults:
        exporters[fault.pod].rows[fault.row] = fault.value
    try:
        yield
    finally:
        for pod, rows in well.items():
            exporters[pod].rows = rows
