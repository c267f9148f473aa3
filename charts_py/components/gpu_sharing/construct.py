"""The files of GPU sharing as ConfigMaps."""

from collections.abc import Mapping

from constructs import Construct

from charts_py.components.gpu_sharing.config_maps import (
    DEVICE_PLUGIN_CONFIG_MAP,
    MIG_PARTED_CONFIG_MAP,
    NAMESPACE,
)
from charts_py.components.gpu_sharing.device_plugin_config import DevicePluginConfig
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.objects.metadata import ObjectMeta, object_of

_MIG_PARTED_KEY = "config.yaml"
"""The key that the MIG manager mounts (values of the chart gpu-operator, `migManager.config`)."""


class GpuSharing(Construct):
    """One ConfigMap for the device plugin, and one for the MIG manager.

    The device plugin's files are given by name; the MIG manager has none where the provider
    partitions the GPUs.
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html and
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        device_plugin: Mapping[str, DevicePluginConfig],
        mig_parted: Document | None,
    ) -> None:
        super().__init__(scope, id)
        files = {name: to_yaml(file.document()) for name, file in device_plugin.items()}
        add_document(self, _config_map(DEVICE_PLUGIN_CONFIG_MAP, files))
        if mig_parted is not None:
            layouts = {_MIG_PARTED_KEY: to_yaml(mig_parted)}
            add_document(self, _config_map(MIG_PARTED_CONFIG_MAP, layouts))


def _config_map(name: str, files: dict[str, str]) -> Document:
    return object_of("v1", "ConfigMap", ObjectMeta(name, NAMESPACE), {"data": files})
