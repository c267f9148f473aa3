"""The files of GPU sharing as ConfigMaps."""

from collections.abc import Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.components.gpu_sharing.config_maps import (
    DEVICE_PLUGIN_CONFIG_MAP,
    MIG_PARTED_CONFIG_MAP,
    NAMESPACE,
)
from charts_py.components.gpu_sharing.device_plugin_config import DevicePluginConfig
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_object
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.objects.metadata import ObjectMeta

_MIG_PARTED_KEY = "config.yaml"
"""The key that the MIG manager mounts (values of the chart gpu-operator, `migManager.config`)."""


@dataclass(frozen=True, slots=True)
class GpuSharingProps:
    """The files of a cluster."""

    device_plugin: Mapping[str, DevicePluginConfig]
    """By name."""
    mig_parted: Document | None
    """None where the provider partitions the GPUs."""


class GpuSharing(Construct):
    """One ConfigMap for the device plugin, and one for the MIG manager.

    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html and
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html
    """

    def __init__(self, scope: Construct, id: str, props: GpuSharingProps) -> None:
        super().__init__(scope, id)
        files = {name: to_yaml(file.document()) for name, file in props.device_plugin.items()}
        self._add_config_map(DEVICE_PLUGIN_CONFIG_MAP, files)
        if props.mig_parted is not None:
            layouts = {_MIG_PARTED_KEY: to_yaml(props.mig_parted)}
            self._add_config_map(MIG_PARTED_CONFIG_MAP, layouts)

    def _add_config_map(self, name: str, files: Mapping[str, str]) -> None:
        metadata = ObjectMeta(name, namespace=NAMESPACE)
        add_object(self, "v1", "ConfigMap", metadata, {"data": dict(files)})
