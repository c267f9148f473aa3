"""Where the GPU operator's daemons find the files of GPU sharing, and who reads them."""

from charts_py.platform.platform import Platform
from gpus.pool_facts import Advertiser

NAMESPACE = "gpu-operator"
"""Of the GPU operator, whose daemons mount ConfigMaps of their own namespace alone."""

DEVICE_PLUGIN_CONFIG_MAP = "device-plugin-config"
MIG_PARTED_CONFIG_MAP = "mig-parted-config"


def advertises_here(platform: Platform) -> bool:
    """Return whether it is the GPU operator's device plugin that advertises the GPUs."""
    return platform.provider.advertiser is Advertiser.OPERATOR


def partitions_here(platform: Platform) -> bool:
    """Return whether it is the MIG manager that partitions GPUs, and not the provider.

    It also undoes what an earlier layout left on a node that stays, where the node's label asks for
    whole GPUs; so it runs though no pool has a layout.
    """
    return not platform.provider.uniform_mig
