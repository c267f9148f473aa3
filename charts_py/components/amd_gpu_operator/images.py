"""The images of the chart gpu-operator-charts; its DeviceConfig is a component of its own.

https://github.com/ROCm/gpu-operator/blob/v1.5.1/helm-charts-k8s/values.yaml
"""

from charts_py.components.chart_image import ChartImage
from charts_py.components.node_feature_discovery import discovery_image

AMD_GPU_OPERATOR_IMAGES = (
    ChartImage(
        section="controllerManager.manager.image",
        repository="docker.io/rocm/amd-gpu-operator",
        tag="v1.5.1",
    ),
    discovery_image(
        "node-feature-discovery.image", "v0.18.3", {"node-feature-discovery.enabled": True}
    ),
)
