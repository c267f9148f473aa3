"""Exporters of a cluster and their faults, its Prometheus, and the Alertmanager that it tells."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts_py.components.gpu_operator.values import gpu_operator_values
from charts_py.components.kueue.definition import KUEUE_NAMESPACE, METRICS_SERVICE
from charts_py.components.node_readiness.controller import STARTUP_TAINT
from charts_py.constructs.render import render
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.binaries.prometheus import PrometheusBinaries
from tests.e2e.monitoring.alertmanager import Notifications, running_alertmanager
from tests.e2e.monitoring.exporters import Exporter, Exporters, ScrapedGpu, gpu_exporter, series
from tests.e2e.monitoring.loopback import serving
from tests.e2e.monitoring.prometheus import (
    Prometheus,
    ScrapedPod,
    running_prometheus,
    scrape_config,
)
from tests.e2e.monitoring.rule_files import rule_objects, write_rule_files

_PLATFORM = "#gpu-platform"
WEBHOOKS = ("gpuplane-webhook-a", "gpuplane-webhook-b")
KUBE_STATE_METRICS = "kube-state-metrics"
EXPORTER = "nvidia-dcgm-exporter"
NODE = "h100-1"
TRAINING_POD = {"container": "main", "namespace": "research-training", "pod": "pretrain-0"}
USED_GPU, IDLE_GPU = ScrapedGpu(NODE, 0, TRAINING_POD), ScrapedGpu(NODE, 1, {})
KUEUE = "kueue-controller-manager-0"
_KUBE_STATE_METRICS_ENDPOINT = {"honorLabels": True}
"""As kube-prometheus-stack scrapes it, so that `namespace` and `pod` are those that it tells of."""


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
        "GpuplaneNodeReadinessStale",
        KUBE_STATE_METRICS,
        series("kube_node_spec_taint", {"node": "h100-2", "key": STARTUP_TAINT.key}),
    ),
    Fault(
        "GpuplaneWebhookReloadFailed",
        WEBHOOKS[0],
        series("gpuplane_webhook_reload_failing", {"what": "settings"}),
    ),
    Fault(
        "GpuplaneWebhookCertificateExpiresToday",
        WEBHOOKS[1],
        # It has expired in 1970.
        series("gpuplane_webhook_certificate_expiry_timestamp_seconds", {}),
        "#gpu-on-call",
    ),
    Fault(
        "GpuplaneGpuNeedsReset",
        EXPORTER,
        series("DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION", IDLE_GPU.labels),
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


@dataclass(frozen=True, slots=True)
class MonitoringStack:
    """All of it, as it runs."""

    exporters: Mapping[str, Exporter]
    """What pods serve, by their names."""
    prometheus: Prometheus
    notifications: Notifications


@contextmanager
def running_stack(
    platform: Platform, binaries: PrometheusBinaries, alertmanager: Path, folder: Path, logs: Path
) -> Iterator[MonitoringStack]:
    """Run it until the context ends, with the rules of a platform; raise ComponentError."""
    exporters = Exporters(dict(_pods()))
    notifications = Notifications()
    rules = write_rule_files(_hurried(rule_objects(platform)), folder)
    with ExitStack() as stack:
        scraped = _scraped(platform, stack.enter_context(serving(exporters.answer)))
        slack = f"http://127.0.0.1:{stack.enter_context(serving(notifications.answer))}"
        address = stack.enter_context(running_alertmanager(alertmanager, slack, folder, logs))
        running = running_prometheus(binaries.prometheus, scraped, rules, address, folder, logs)
        prometheus = stack.enter_context(running)
        yield MonitoringStack(exporters.pods, prometheus, notifications)


def _pods() -> Iterator[tuple[str, Exporter]]:
    """Yield what pods serve of a cluster that is well."""
    for name in WEBHOOKS:
        yield name, Exporter()
    yield KUEUE, Exporter()
    yield KUBE_STATE_METRICS, _kube_state_metrics()
    yield EXPORTER, gpu_exporter([USED_GPU, IDLE_GPU])


def _kube_state_metrics() -> Exporter:
    exporter = Exporter()
    exporter.set("kube_node_labels", 1, node=NODE, label_gpuplane_io_pool="h100")
    interfaces = {"node": NODE, "resource": "vpc_amazonaws_com_efa", "unit": "integer"}
    exporter.set("kube_node_status_allocatable", 32, **interfaces)
    return exporter


def _scraped(platform: Platform, port: int) -> list[dict[str, Any]]:
    webhooks = [
        ScrapedPod(name, "gpuplane-system", "gpuplane-webhook", "webhook", "system-1")
        for name in WEBHOOKS
    ]
    exporter = ScrapedPod(EXPORTER, "gpu-operator", EXPORTER, EXPORTER, NODE)
    metrics = ScrapedPod(
        KUBE_STATE_METRICS, "monitoring", KUBE_STATE_METRICS, KUBE_STATE_METRICS, "system-1"
    )
    kueue = ScrapedPod(KUEUE, KUEUE_NAMESPACE, METRICS_SERVICE, "manager", "system-1")
    monitor = gpu_operator_values(platform)["dcgmExporter"]["serviceMonitor"]
    return [
        scrape_config(webhooks, port, _endpoint(platform, "gpuplane-webhook")),
        # Over TLS and with a token on a cluster.
        scrape_config([kueue], port, _endpoint(platform, METRICS_SERVICE)),
        scrape_config([exporter], port, monitor),
        scrape_config([metrics], port, _KUBE_STATE_METRICS_ENDPOINT),
    ]


def _endpoint(platform: Platform, name: str) -> Mapping[str, Any]:
    """Return the endpoint of a ServiceMonitor that the platform emits."""
    (endpoint,) = next(
        each["spec"]["endpoints"]
        for each in render(platform).folders["monitoring"]
        if (each["kind"], each["metadata"]["name"]) == ("ServiceMonitor", name)
    )
    found: Mapping[str, Any] = endpoint
    return found


def _hurried(objects: list[Document]) -> list[Document]:
    """Return rules whose alerts fire after a second, however long their causes should last."""
    return [
        {**each, "spec": {"groups": [_hurried_group(g) for g in each["spec"]["groups"]]}}
        for each in objects
    ]


def _hurried_group(group: Mapping[str, Any]) -> dict[str, Any]:
    rules = [{**rule, "for": "1s"} if "alert" in rule else rule for rule in group["rules"]]
    return {"name": group["name"], "rules": rules}


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
