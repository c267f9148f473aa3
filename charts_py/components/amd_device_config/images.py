"""What AMD's operator runs by its DeviceConfig."""

from charts_py.components.amd_gpu_operator.check import CHART
from upstream.lock import locked_chart

REGISTRY = "docker.io"

_DEVICE_PLUGIN_VERSION = "1.31.0.9"
"""That of its own chart (https://github.com/ROCm/k8s-device-plugin, helm/amd-gpu/values.yaml at
v1.31.0.10); the operator's default is `latest`, which differs from node to node."""
_DEVICE_PLUGIN = f"{REGISTRY}/rocm/k8s-device-plugin"
DEVICE_PLUGIN_IMAGE = f"{_DEVICE_PLUGIN}:{_DEVICE_PLUGIN_VERSION}"
NODE_LABELLER_IMAGE = f"{_DEVICE_PLUGIN}:labeller-{_DEVICE_PLUGIN_VERSION}"

INIT_IMAGE = f"{REGISTRY}/library/busybox:1.36"
"""What every one of these pods starts with: the operator's default, which it runs unless another
place is stated
(https://github.com/ROCm/gpu-operator/blob/v1.5.1/internal/plugin/plugin.go)."""

_EXPORTER = f"{REGISTRY}/rocm/device-metrics-exporter"
"""It has the versions of the operator
(https://github.com/ROCm/gpu-operator/blob/v1.5.1/internal/metricsexporter/metricsexporter.go)."""


def exporter_image() -> str:
    """Return the metrics exporter of the pinned operator."""
    return f"{_EXPORTER}:{locked_chart(CHART).chart_version}"
