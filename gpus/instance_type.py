"""Instance types of the clouds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpus.interconnect import Interconnect
    from gpus.provider import Provider


@dataclass(frozen=True, slots=True)
class InstanceType:
    """A cloud's machine with GPUs, as the cloud names and sizes it."""

    name: str
    provider: Provider
    """The managed Kubernetes that offers it."""
    gpu: str
    """The name of its GPU model."""
    gpus: int
    cpu: int
    """Virtual CPUs."""
    memory_gib: float
    network_gbps: float = 0
    """What one machine can rely on, all interfaces together with those for RDMA, in Gbit/s; 0
    where it is not known."""
    rdma: Interconnect | None = None
    """None without RDMA."""
    rdma_interfaces: int = 0
    rdma_first_card: int = 0
    """The first network card that takes an RDMA interface; each of those after it takes one."""
    local_nvme_gib: int = 0
    """Local NVMe disks together, in whole GiB, rounded down."""
    pod_interfaces: int = 0
    """Network interfaces of the first network card, on which pods get their addresses; 0 where
    pods are addressed in another way, or the number is not known."""
    interface_addresses: int = 0
    """IPv4 addresses of each of them, its own included."""
