"""What AMD's GPU operator runs on the nodes, as its DeviceConfig."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.components.amd_device_config.images import (
    DEVICE_PLUGIN_IMAGE,
    INIT_IMAGE,
    NODE_LABELLER_IMAGE,
    exporter_image,
)
from charts_py.components.amd_gpu_operator.definition import NAMESPACE
from charts_py.components.node_of_pod import NODE_OF_POD
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.metrics_collection import MetricsCollection
from charts_py.platform.registry_mirrors import RegistryMirrors
from gpus.taint import Taint

_SELECTOR = {"feature.node.kubernetes.io/amd-gpu": "true"}
"""What the operator's own NodeFeatureRule puts on nodes with an AMD GPU."""


@dataclass(frozen=True, slots=True)
class AmdDeviceConfigProps:
    """What the cluster file decides of it."""

    taints: tuple[Taint, ...]
    """Of the nodes with AMD GPUs."""
    monitoring: MetricsCollection
    pull_secret_names: tuple[str, ...]
    mirrors: RegistryMirrors


class AmdDeviceConfig(Construct):
    """A DeviceConfig: device plugin, node labeller and metrics exporter on every AMD node.

    https://instinct.docs.amd.com/projects/gpu-operator/en/main/fulldeviceconfig.html
    """

    def __init__(self, scope: Construct, id: str, props: AmdDeviceConfigProps) -> None:
        super().__init__(scope, id)
        tolerations = tolerations_of(props.taints)
        spec = {
            **_common(props),
            "selector": _SELECTOR,
            "driver": {"enable": False},
            "devicePlugin": {
                "enableDevicePlugin": True,
                "devicePluginImage": props.mirrors.of(DEVICE_PLUGIN_IMAGE),
                "devicePluginTolerations": tolerations,
                "enableNodeLabeller": True,
                "nodeLabellerImage": props.mirrors.of(NODE_LABELLER_IMAGE),
                "nodeLabellerTolerations": tolerations,
            },
            "metricsExporter": {
                "enable": True,
                "image": props.mirrors.of(exporter_image()),
                "tolerations": tolerations,
                "prometheus": {"serviceMonitor": _service_monitor(props.monitoring)},
            },
        }
        metadata = ObjectMeta("amd-gpus", namespace=NAMESPACE)
        add_object(self, "amd.com/v1alpha1", "DeviceConfig", metadata, {"spec": spec})


def _common(props: AmdDeviceConfigProps) -> dict[str, object]:
    secrets = [{"name": name} for name in props.pull_secret_names]
    init_image = props.mirrors.of(INIT_IMAGE)
    common = {
        **({"initContainerImage": init_image} if init_image != INIT_IMAGE else {}),
        **({"imageRegistrySecrets": secrets} if secrets else {}),
    }
    return {"commonConfig": common} if common else {}


def _service_monitor(monitoring: MetricsCollection) -> dict[str, object]:
    """Return how Prometheus scrapes the exporter.

    What it says of pods keeps its place behind `exported_`, as with NVIDIA's: else the GPUs that no
    pod has would seem to be those of the exporter.
    """
    labels = {"labels": dict(monitoring.labels)} if monitoring.labels else {}
    return {
        "enable": monitoring.has_operator,
        "interval": monitoring.interval,
        "honorLabels": False,
        "relabelings": [dict(NODE_OF_POD)],
        **labels,
    }
