"""The hardware of one node."""

from dataclasses import dataclass

from gpus.instance_type import InstanceType, Interconnect
from gpus.model import GpuModel


@dataclass(frozen=True, slots=True)
class NodeHardware:
    """One node."""

    model: GpuModel
    gpus: int
    cpu: int
    memory: int
    """Bytes."""
    interconnect: Interconnect
    interconnect_interfaces: int = 0
    """RDMA interfaces, such as EFA devices."""
    local_nvme_gib: int = 0
    machine: InstanceType | None = None
    """The instance type; None where the pool states its hardware instead."""
