"""GPU models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpus.host_architecture import USUAL_ARCHITECTURE

if TYPE_CHECKING:
    from gpus.driver_support import DriverSupport
    from gpus.mig import MigGeometry


@dataclass(frozen=True, slots=True)
class GpuModel:
    """A GPU as cluster files name it: one product in one form factor and memory size."""

    name: str
    family: str
    """The lower-case word that stands for all form factors, such as `h100`."""
    vendor: str
    product: str
    """The value of the vendor's product label, for NVIDIA `nvidia.com/gpu.product`."""
    memory_mib: int
    """Device memory of one allocation of the whole GPU, in MiB."""
    pci_device: str
    """The PCI device identifier, four lower-case hexadecimal digits."""
    nvlink: bool
    """Whether the GPUs of one node talk over NVLink or NVSwitch."""
    mps: bool
    """Whether the device plugin can share it by MPS, the CUDA Multi-Process Service."""
    mig: MigGeometry | None
    """How it can be partitioned; None when it cannot."""
    architecture: str
    resource: str | None = None
    """The extended resource where it differs from the vendor's."""
    vgpu: bool = False
    """Whether a hypervisor hands out the GPU, or a part of it, as a virtual one."""
    host_architecture: str = USUAL_ARCHITECTURE
    """The CPU architecture of the machines that carry it, as `kubernetes.io/arch` names it."""
    compute_capability: str | None = None
    """What CUDA code must be compiled for, such as `9.0`; None for GPUs of other vendors."""
    driver: DriverSupport | None = None
    """The drivers that drive it; None for GPUs of other vendors."""
    nvlink_domain: int | None = None
    """The most GPUs that NVLink joins across machines; None where it ends at the machine."""
