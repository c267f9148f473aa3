"""How NVIDIA GPUs are cut and shared, as files that the GPU operator's daemons read.

A node's labels choose among the files by name. The names tell what is in them, so that a pool which
changes its way of sharing changes its label, and with it the file: neither daemon notices that the
content of the same file has changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.components.component import Component
from charts_py.components.device_plugin_config import (
    DevicePluginConfig,
    device_plugin_configs,
    mig_strategy_of,
)
from charts_py.components.mig_parted_config import mig_parted_config
from charts_py.objects.document import Document
from charts_py.objects.kube_object import ObjectMeta, add_object
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import GPU_OPERATOR_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.pool_facts import Advertiser
from gpus.vendor import NVIDIA

DEVICE_PLUGIN_CONFIG_MAP = "device-plugin-config"
MIG_PARTED_CONFIG_MAP = "mig-parted-config"

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
        metadata = ObjectMeta(name, namespace=GPU_OPERATOR_NAMESPACE)
        add_object(self, "v1", "ConfigMap", metadata, {"data": dict(files)})


def advertises_here(platform: Platform) -> bool:
    """Tell whether it is the GPU operator's device plugin that advertises the GPUs."""
    return platform.provider.advertiser is Advertiser.OPERATOR


def partitions_here(platform: Platform) -> bool:
    """Tell whether it is the MIG manager that partitions GPUs, and not the provider.

    It also undoes what an earlier layout left on a node that stays, so that it runs though no pool
    has a layout.
    """
    return not platform.provider.uniform_mig


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the files where the GPU operator's daemons read them."""
    pools = platform.pools_of(NVIDIA)
    if not pools or not advertises_here(platform):
        return
    props = GpuSharingProps(
        device_plugin=device_plugin_configs(pools, mig_strategy_of(platform)),
        mig_parted=mig_parted_config(pools) if partitions_here(platform) else None,
    )
    yield Component(
        name="gpu-sharing",
        wave=Wave.CONFIGURATION,
        namespace=GPU_OPERATOR_NAMESPACE,
        construct=lambda scope: GpuSharing(scope, "gpu-sharing", props),
    )
