"""The images of the chart gpu-operator: those of its pods, and those that its ClusterPolicy names.

https://github.com/NVIDIA/gpu-operator (deployments/gpu-operator/values.yaml at v26.7.0;
`resolveDriverTag` in controllers/object_controls.go for what has the nodes' operating system in its
tag)
"""

from collections.abc import Iterator

from charts_py.components.chart_image import ChartImage
from charts_py.components.gpu_operator.driver import CHART_VERSION as DRIVER
from charts_py.components.node_feature_discovery import discovery_image

_CHART = "v26.7.0"
_NVIDIA = "nvcr.io/nvidia"
_CLOUD_NATIVE = f"{_NVIDIA}/cloud-native"
_KUBERNETES = f"{_NVIDIA}/k8s"
_DRIVER_MANAGER = "v0.12.0"

_ALWAYS = (
    ("operator", _NVIDIA, "gpu-operator", _CHART),
    ("validator", _NVIDIA, "gpu-operator", _CHART),
    # Named in the operator's environment, too.
    ("driver.manager", _CLOUD_NATIVE, "k8s-driver-manager", _DRIVER_MANAGER),
)
"""Section, repository, image and version, as in the tables below."""

_ENABLED = (
    ("toolkit", _KUBERNETES, "container-toolkit", "v1.20.0", True),
    ("devicePlugin", _NVIDIA, "k8s-device-plugin", "v0.20.0", True),
    ("dcgm", _CLOUD_NATIVE, "dcgm", "4.6.0-1-ubuntu24.04", False),
    ("dcgmExporter", _KUBERNETES, "dcgm-exporter", "4.6.0-4.8.3-distroless", True),
    ("gfd", _NVIDIA, "k8s-device-plugin", "v0.20.0", True),
    ("migManager", _CLOUD_NATIVE, "k8s-mig-manager", "v0.15.0", True),
    ("nodeStatusExporter", _NVIDIA, "gpu-operator", _CHART, False),
)
"""What runs where its section is enabled, and whether the chart enables it."""

_COMPILED = (
    ("driver", _NVIDIA, "driver", DRIVER, True),
    ("gds", _CLOUD_NATIVE, "nvidia-fs", "2.29.4", False),
    ("gdrcopy", _CLOUD_NATIVE, "gdrdrv", "v2.6", False),
)
"""Likewise, of images for each operating system."""

_SANDBOXES = (
    ("vgpuManager.driverManager", _CLOUD_NATIVE, "k8s-driver-manager", _DRIVER_MANAGER, False),
    ("vgpuDeviceManager", _CLOUD_NATIVE, "vgpu-device-manager", "v0.5.0", True),
    ("vfioManager", _CLOUD_NATIVE, "k8s-driver-manager", _DRIVER_MANAGER, True),
    ("vfioManager.driverManager", _CLOUD_NATIVE, "k8s-driver-manager", _DRIVER_MANAGER, True),
    ("sandboxDevicePlugin", _NVIDIA, "kubevirt-gpu-device-plugin", "v1.6.0", True),
    ("kataSandboxDevicePlugin", _CLOUD_NATIVE, "nvidia-sandbox-device-plugin", "v0.0.5", True),
    ("ccManager", _CLOUD_NATIVE, "k8s-cc-manager", "v0.4.3", True),
)
"""What runs where virtual machines get the GPUs, which the platform leaves off. The image of the
vGPU manager is missing: NVIDIA publishes none."""


def _images() -> Iterator[ChartImage]:
    for section, repository, name, tag in _ALWAYS:
        yield _image(section, repository, name, tag)
    for section, repository, name, tag, enabled in _ENABLED:
        yield _image(section, repository, name, tag, {f"{section}.enabled": enabled})
    for section, repository, name, tag, enabled in _COMPILED:
        where = {"driver.enabled": True, f"{section}.enabled": enabled}
        yield _image(section, repository, name, tag, where, has_os_tag=True)
    for section, repository, name, tag, enabled in _SANDBOXES:
        switch = f"{section.partition('.')[0]}.enabled"
        where = {"sandboxWorkloads.enabled": False, switch: enabled}
        yield _image(section, repository, name, tag, where)
    yield discovery_image("node-feature-discovery.image", "v0.19.0", {"nfd.enabled": True})


def _image(
    section: str,
    repository: str,
    name: str,
    tag: str,
    where: dict[str, bool] | None = None,
    *,
    has_os_tag: bool = False,
) -> ChartImage:
    return ChartImage(
        section=section,
        repository=repository,
        name=name,
        tag=tag,
        tag_key="version",
        runs_where=where or {},
        has_os_tag=has_os_tag,
    )


GPU_OPERATOR_IMAGES = tuple(_images())
