"""Configuration files of NVIDIA's device plugin, which tell it how GPUs are shared.

https://github.com/NVIDIA/k8s-device-plugin#configuring-the-nvidia-device-plugin-binary
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, PlatformPool
from gpus.pool_facts import Advertiser
from gpus.vendor import NVIDIA

DEFAULT = "default"
"""Name of the file for nodes whose pool shares nothing by replicas."""

_SHARED_SUFFIX = ".shared"
"""What `renameByDefault` appends to the name of a replicated resource."""


class MigStrategy(StrEnum):
    """How MIG instances are advertised: not at all, as whole GPUs, or each profile by its name."""

    NONE = "none"
    SINGLE = "single"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Replication:
    """Resources of which each device is advertised several times."""

    way: str
    """`timeSlicing` or `mps`."""
    resources: tuple[str, ...]
    """As they are named before `renameByDefault`."""
    replicas: int

    def document(self) -> Document:
        """Return it as the file's `sharing`."""
        replicated = [{"name": name, "replicas": self.replicas} for name in self.resources]
        return {
            self.way: {
                "renameByDefault": True,
                # Two replicas give no more of a GPU than one; who asks for two is mistaken.
                "failRequestsGreaterThanOne": True,
                "resources": replicated,
            }
        }


@dataclass(frozen=True, slots=True)
class DevicePluginConfig:
    """One file."""

    mig_strategy: MigStrategy
    replication: Replication | None = None

    def document(self) -> Document:
        """Return the file's content."""
        document: Document = {
            "version": "v1",
            "flags": {"migStrategy": self.mig_strategy.value},
        }
        if self.replication is not None:
            document["sharing"] = self.replication.document()
        return document


def mig_strategy_of(platform: Platform) -> MigStrategy:
    """Return the one strategy of the cluster.

    The operator hands it to the plugin as an environment variable, which wins over the file's, so
    that files of one cluster cannot differ. GKE's own plugin advertises every instance as a GPU.
    """
    if not any(pool.facts.sharing.mig for pool in platform.pools_of(NVIDIA)):
        return MigStrategy.NONE
    on_gke = platform.provider.advertiser is Advertiser.GKE
    return MigStrategy.SINGLE if on_gke else MigStrategy.MIXED


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
    sharing = pool.facts.sharing
    return Replication(
        way="mps" if sharing.mps > 1 else "timeSlicing",
        resources=tuple(
            resource.name.removesuffix(_SHARED_SUFFIX) for resource in pool.facts.resources
        ),
        replicas=sharing.replicas,
    )
