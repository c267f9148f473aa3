"""What AMD's GPU operator runs on the nodes, as its DeviceConfig."""

from collections.abc import Iterable
from dataclasses import dataclass

from constructs import Construct

from charts_py.components.amd_gpu_operator.definition import CHART, NAMESPACE
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.metrics_collection import MetricsCollection
from gpus.taint import Taint
from upstream.lock import locked_chart

_DEVICE_PLUGIN_VERSION = "1.31.0.9"
"""That of its own chart (https://github.com/ROCm/k8s-device-plugin, helm/amd-gpu/values.yaml at
v1.31.0.10); the operator's default is `latest`, which differs from node to node."""
_DEVICE_PLUGIN_IMAGE = f"docker.io/rocm/k8s-device-plugin:{_DEVICE_PLUGIN_VERSION}"
_NODE_LABELLER_IMAGE = f"docker.io/rocm/k8s-device-plugin:labeller-{_DEVICE_PLUGIN_VERSION}"

_EXPORTER = "docker.io/rocm/device-metrics-exporter"
"""It has the versions of the operator
(https://github.com/ROCm/gpu-operator/blob/v1.5.1/internal/metricsexporter/metricsexporter.go)."""

_SELECTOR = {"feature.node.kubernetes.io/amd-gpu": "true"}
"""What the operator's own NodeFeatureRule puts on nodes with an AMD GPU."""


@dataclass(frozen=True, slots=True)
class AmdDeviceConfigProps:
    """What the cluster file decides of it."""

    taints: tuple[Taint, ...]
    """Of the nodes with AMD GPUs."""
    monitoring: MetricsCollection
    pull_secret_names: tuple[str, ...]


class AmdDeviceConfig(Construct):
    """A DeviceConfig: device plugin, node labeller and metrics exporter on every AMD node.

    https://instinct.docs.amd.com/projects/gpu-operator/en/main/fulldeviceconfig.html
    """

    def __init__(self, scope: Construct, id: str, props: AmdDeviceConfigProps) -> None:
        super().__init__(scope, id)
        tolerations = tolerations_of(props.taints)
        spec = {
            **_common(props.pull_secret_names),
            "selector": _SELECTOR,
            "driver": {"enable": False},
            "devicePlugin": {
                "enableDevicePlugin": True,
                "devicePluginImage": _DEVICE_PLUGIN_IMAGE,
                "devicePluginTolerations": tolerations,
                "enableNodeLabeller": True,
                "nodeLabellerImage": _NODE_LABELLER_IMAGE,
                "nodeLabellerTolerations": tolerations,
            },
            "metricsExporter": {
                "enable": True,
                "image": f"{_EXPORTER}:{locked_chart(CHART).chart_version}",
                "tolerations": tolerations,
                "prometheus": {"serviceMonitor": _service_monitor(props.monitoring)},
            },
        }
        metadata = ObjectMeta("amd-gpus", namespace=NAMESPACE)
        add_object(self, "amd.com/v1alpha1", "DeviceConfig", metadata, {"spec": spec})


def _common(pull_secret_names: Iterable[str]) -> dict[str, object]:
    secrets = [{"name": name} for name in pull_secret_names]
    return {"commonConfig": {"imageRegistrySecrets": secrets}} if secrets else {}


def _service_monitor(monitoring: MetricsCollection) -> dict[str, object]:
    labels = {"labels": dict(monitoring.labels)} if monitoring.labels else {}
    return {"enable": monitoring.has_operator, "interval": monitoring.interval, **labels}
