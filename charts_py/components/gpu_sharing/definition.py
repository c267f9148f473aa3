"""How NVIDIA GPUs are partitioned and shared, as files that the GPU operator's daemons read.

A node's labels choose among the files by name. The names say what is in them, so that a pool which
changes its way of sharing changes its label, and with it the file: neither daemon notices that the
content of the same file has changed. One ConfigMap is for the device plugin, and one for the MIG
manager, which cannot partition a GPU that is in use: drain the nodes of a pool first, where nothing
replaces them for other sharing.
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html and
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.alert_tables import alert_table
from charts_py.components.definition import Definition
from charts_py.components.gpu_sharing.sharing_config import (
    DEVICE_PLUGIN_CONFIG_MAP,
    MIG_PARTED_CONFIG_MAP,
    NAMESPACE,
    advertises_here,
    device_plugin_configs,
    mig_parted_config,
    mig_strategy_of,
    partitions_here,
)
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.wave import Wave
from gpus.vendor import NVIDIA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


_MIG_PARTED_KEY = "config.yaml"
"""The key that the MIG manager mounts (values of the chart gpu-operator, `migManager.config`)."""


def _objects(platform: Platform) -> Iterator[Document]:
    """Yield the device plugin's files, and those of the MIG manager where it partitions GPUs."""
    pools = platform.pools_of(NVIDIA)
    configs = device_plugin_configs(pools, mig_strategy_of(platform))
    files = {name: to_yaml(file.document()) for name, file in configs.items()}
    yield _config_map(DEVICE_PLUGIN_CONFIG_MAP, files)
    layouts = mig_parted_config(pools) if partitions_here(platform) else None
    if layouts is not None:
        yield _config_map(MIG_PARTED_CONFIG_MAP, {_MIG_PARTED_KEY: to_yaml(layouts)})


def _config_map(name: str, files: dict[str, str]) -> Document:
    return object_of("v1", "ConfigMap", ObjectMeta(name, NAMESPACE), {"data": files})


def _partitions(platform: Platform) -> bool:
    """Return whether the MIG manager has GPUs to partition, or to make whole again."""
    can_be_cut = any(pool.hardware.model.mig for pool in platform.pools_of(NVIDIA))
    return partitions_here(platform) and can_be_cut


GPU_SHARING = Definition(
    name="gpu-sharing",
    description=__doc__,
    appears="with NVIDIA GPUs, unless the provider's own device plugin advertises them",
    is_wanted=lambda platform: bool(platform.pools_of(NVIDIA)) and advertises_here(platform),
    fields=("pools.NAME.sharing",),
    depends_on=("namespaces",),
    wave=Wave.CONFIGURATION,
    namespace=NAMESPACE,
    objects=_objects,
    rules=alert_table(
        "gpu-sharing",
        NAMESPACE,
        __package__,
        has=lambda platform, _: _partitions(platform),
    ),
)
