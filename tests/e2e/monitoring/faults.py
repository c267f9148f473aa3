"""What goes wrong in a cluster, as the series show it that Prometheus scrapes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from charts_py.components.node_readiness.readiness import STARTUP_TAINT
from tests.e2e.monitoring.exporters import Exporter, series
from tests.e2e.monitoring.stack import KUBE_STATE_METRICS, NODE, TEAM_ALERT, WEBHOOKS


@dataclass(frozen=True, slots=True)
class Fault:
    """A series that is 1 as long as something is wrong."""

    alert: str
    """What is to fire."""
    pod: str
    """Who serves the series."""
    row: str
    channel: str
    """Where people are to hear of it."""


FAULTS = (
    Fault(
        "GpuplaneMigLayoutFailed",
        KUBE_STATE_METRICS,
        series("kube_node_labels", {"node": NODE, "label_nvidia_com_mig_config_state": "failed"}),
        "#gpu-platform",
    ),
    Fault(
        "GpuplaneNodeNotReady",
        KUBE_STATE_METRICS,
        series("kube_node_spec_taint", {"node": "h100-2", "key": STARTUP_TAINT.key}),
        "#gpu-platform",
    ),
    Fault(
        "GpuplaneWebhookReloadFailed",
        WEBHOOKS[0],
        series("gpuplane_webhook_reload_failing", {"what": "settings"}),
        "#gpu-platform",
    ),
    Fault(
        TEAM_ALERT,
        KUBE_STATE_METRICS,
        series("fault_of_a_team", {"team": "research"}),
        "#gpu-research",
    ),
)


@contextmanager
def injected(faults: Collection[Fault], exporters: Mapping[str, Exporter]) -> Iterator[None]:
    """Have series show faults for as long as a context lasts."""
    for fault in faults:
        exporters[fault.pod].rows[fault.row] = 1
    try:
        yield
    finally:
        for fault in faults:
            del exporters[fault.pod].rows[fault.row]
