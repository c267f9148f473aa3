"""The networks that the GPUs of a machine on GKE talk over, beside that of its node."""

from charts_py.cluster_file.provider import GkeNetwork, GkeSettings
from charts_py.platform.hardware import NodeHardware
from charts_py.platform.platform import PlatformPool
from gpus.interconnect import Interconnect


def networks_needed(hardware: NodeHardware) -> int:
    """Return how many networks the interfaces of a machine stand in; RDMA comes with one of gVNIC.

    https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037: 4 in
    examples/gke-a3-highgpu, 8 in gke-a3-megagpu, 1 and 8 in gke-a3-ultragpu and gke-a4; 1 and 4 for
    A4X in https://docs.nvidia.com/aicr/integrator-guide/gke-a-4-x-max-networking.md
    """
    if hardware.interconnect is Interconnect.ETHERNET:
        return 0
    hosts = 1 if hardware.interconnect is Interconnect.ROCE else 0
    return hosts + max(hardware.interconnect_interfaces, 1)


def networks_of(pool: PlatformPool, gke: GkeSettings) -> tuple[GkeNetwork, ...]:
    """Return the networks of a pool, of which the file was checked to have enough."""
    known = gke.networks.get(pool.hardware.interconnect, ())
    return known[: networks_needed(pool.hardware)]
