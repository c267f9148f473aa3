"""How NVIDIA GPUs are partitioned and shared, as files that the GPU operator's daemons read.

A node's labels choose among the files by name. The names say what is in them, so that a pool which
changes its way of sharing changes its label, and with it the file: neither daemon notices that the
content of the same file has changed. One ConfigMap is for the device plugin, and one for the MIG
manager, which cannot partition a GPU that is in use: drain the nodes of a pool first, where nothing
replaces them for other sharing.
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html and
https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from charts_py.components.alert_tables import alert_table
from charts_py.components.definition import Definition
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import Wave
from gpus.mig import ALL_DISABLED
from gpus.model import NVIDIA
from gpus.pool_facts import Advertiser, ResourceNaming

DEFAULT = "default"
"""Name of the file for nodes whose pool shares nothing by replicas."""
_SHARED_SUFFIX = ".shared"
"""What `renameByDefault` appends to the name of a replicated resource."""
NAMESPACE = "gpu-operator"
"""The GPU operator's namespace: its daemons mount ConfigMaps of their own namespace alone."""
DEVICE_PLUGIN_CONFIG_MAP = "device-plugin-config"
MIG_PARTED_CONFIG_MAP = "mig-parted-config"
_MIG_PARTED_KEY = "config.yaml"
"""The key that the MIG manager mounts (values of the chart gpu-operator, `migManager.config`)."""


class MigStrategy(StrEnum):
    """How MIG instances are advertised: not at all, as whole GPUs, or each profile by its name."""

    NONE = "none"
    SINGLE = "single"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Replication:
    """Resources whose devices are each advertised several times."""

    way: str
    """`timeSlicing` or `mps`."""
    resources: tuple[str, ...]
    """Their names before `renameByDefault` takes effect."""
    replicas: int
    rename: bool
    """Whether what is replicated gets a name of its own."""

    def document(self) -> Document:
        replicated = [{"name": name, "replicas": self.replicas} for name in self.resources]
        return {
            self.way: {
                "renameByDefault": self.rename,
                # Two replicas give no more of a GPU than one; who asks for two is mistaken.
                "failRequestsGreaterThanOne": True,
                "resources": replicated,
            }
        }


@dataclass(frozen=True, slots=True)
class DevicePluginConfig:
    mig_strategy: MigStrategy
    replication: Replication | None = None

    def document(self) -> Document:
        document: Document = {"version": "v1", "flags": {"migStrategy": self.mig_strategy.value}}
        if self.replication is not None:
            document["sharing"] = self.replication.document()
        return document


def advertises_here(platform: Platform) -> bool:
    return platform.provider.advertiser is Advertiser.OPERATOR


def partitions_here(platform: Platform) -> bool:
    """Return whether it is the MIG manager that partitions GPUs, and not the provider.

    It also undoes what an earlier layout left on a node that stays, where the node's label asks for
    whole GPUs; so it runs though no pool has a layout.
    """
    return not platform.provider.uniform_mig


def mig_strategy_of(platform: Platform) -> MigStrategy:
    """Return the one strategy of the cluster.

    The operator hands it to the plugin as an environment variable, which wins over the file's, so
    that files of one cluster cannot differ. Where GPUs may still have an earlier layout it is never
    `none`, which gives out a GPU in MIG mode as a whole one.
    """
    pools = platform.pools_of(NVIDIA)
    if any(pool.facts.sharing.mig for pool in pools):
        as_whole_gpus = platform.provider.naming is ResourceNaming.WHOLE
        return MigStrategy.SINGLE if as_whole_gpus else MigStrategy.MIXED
    return MigStrategy.MIXED if _may_have_a_layout(platform) else MigStrategy.NONE


def _may_have_a_layout(platform: Platform) -> bool:
    """Return whether an earlier version could have left one, and the plugin starts with `mixed`.

    It does not beside MPS. https://github.com/NVIDIA/k8s-device-plugin v0.20.0 (`validateFlags`,
    and `buildGPUDeviceMap` in internal/rm/device_map.go)
    """
    pools = platform.pools_of(NVIDIA)
    is_by_mps = any(pool.facts.sharing.mps > 1 for pool in pools)
    can_be_cut = any(pool.hardware.model.mig for pool in pools)
    return partitions_here(platform) and can_be_cut and not is_by_mps


def device_plugin_configs(
    pools: Iterable[PlatformPool], strategy: MigStrategy
) -> Mapping[str, DevicePluginConfig]:
    """Return each file that the pools' nodes ask for by their label, by its name."""
    configs = {DEFAULT: DevicePluginConfig(strategy)}
    for pool in pools:
        if name := pool.facts.sharing.device_plugin_config_name:
            configs[name] = DevicePluginConfig(strategy, _replication(pool))
    return dict(sorted(configs.items()))


def _replication(pool: PlatformPool) -> Replication:
    sharing, names = pool.facts.sharing, [resource.name for resource in pool.facts.resources]
    return Replication(
        way="mps" if sharing.mps > 1 else "timeSlicing",
        resources=tuple(name.removesuffix(_SHARED_SUFFIX) for name in names),
        replicas=sharing.replicas,
        rename=all(name.endswith(_SHARED_SUFFIX) for name in names),
    )


def mig_parted_config(pools: Iterable[PlatformPool]) -> Document:
    layouts = {ALL_DISABLED: [{"devices": "all", "mig-enabled": False}]}
    for pool in pools:
        if name := pool.facts.sharing.mig_config_name:
            layout = {
                "devices": "all",
                "mig-enabled": True,
                "mig-devices": dict(sorted(pool.facts.sharing.mig)),
            }
            layouts[name] = [layout]
    return {"version": "v1", "mig-configs": dict(sorted(layouts.items()))}


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
        "gpu_sharing",
        has=lambda platform, _: _partitions(platform),
    ),
)
