"""The labels from which queues know where the nodes of a pool stand."""

from charts_py.cluster_file.pool import Pool
from charts_py.platform.hardware import NodeHardware
from charts_py.platform.provider_facts import ProviderFacts
from gpus.pool_facts import Advertiser

HOSTNAME = "kubernetes.io/hostname"
NVLINK_DOMAIN = "nvidia.com/gpu.clique"
"""Machines that NVLink joins, as GPU feature discovery labels them
(https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/dra-cds.html)."""


def topology_levels(pool: Pool, hardware: NodeHardware, provider: ProviderFacts) -> tuple[str, ...]:
    """Return the labels from the outermost to the node itself; none of a pool without topology.

    With the node as the last level Kueue heeds its taints, and replaces one that fails
    (https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/).
    """
    if pool.topology is None:
        return ()
    stated = pool.topology.levels or known_levels(hardware, provider)
    return (*(level for level in stated if level != HOSTNAME), HOSTNAME)


def known_levels(hardware: NodeHardware, provider: ProviderFacts) -> tuple[str, ...]:
    """Return the labels that nodes carry by themselves, the outermost first."""
    return provider.topology_levels(hardware) or nvlink_levels(hardware, provider)


def nvlink_levels(hardware: NodeHardware, provider: ProviderFacts) -> tuple[str, ...]:
    """Return the label of the NVLink domain where nodes carry one."""
    is_joined = hardware.model.nvlink_domain is not None
    return (NVLINK_DOMAIN,) if is_joined and provider.advertiser is Advertiser.OPERATOR else ()
