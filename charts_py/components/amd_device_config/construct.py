"""What AMD's GPU operator runs on the nodes, as its DeviceConfig."""

from collections.abc import Iterable

from constructs import Construct

from charts_py.components.amd_gpu_operator.definition import NAMESPACE
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.metrics_collection import MetricsCollection
from gpus.taint import Taint

_SELECTOR = {"feature.node.kubernetes.io/amd-gpu": "true"}
"""What the operator's own NodeFeatureRule puts on nodes with an AMD GPU."""


class AmdDeviceConfig(Construct):
    """A DeviceConfig: device plugin, node labeller and metrics exporter on every AMD node.

    https://instinct.docs.amd.com/projects/gpu-operator/en/main/fulldeviceconfig.html
    """

    def __init__(
        self, scope: Construct, id: str, taints: Iterable[Taint], monitoring: MetricsCollection
    ) -> None:
        super().__init__(scope, id)
        tolerations = tolerations_of(taints)
        spec = {
            "selector": _SELECTOR,
            "driver": {"enable": False},
            "devicePlugin": {
                "enableDevicePlugin": True,
                "devicePluginTolerations": tolerations,
                "enableNodeLabeller": True,
                "nodeLabellerTolerations": tolerations,
            },
            "metricsExporter": {
                "enable": True,
                "tolerations": tolerations,
                "prometheus": {"serviceMonitor": _service_monitor(monitoring)},
            },
        }
        metadata = ObjectMeta("amd-gpus", namespace=NAMESPACE)
        add_object(self, "amd.com/v1alpha1", "DeviceConfig", metadata, {"spec": spec})


def _service_monitor(monitoring: MetricsCollection) -> dict[str, object]:
    labels = {"labels": dict(monitoring.labels)} if monitoring.labels else {}
    return {"enable": monitoring.has_operator, "interval": monitoring.interval, **labels}
