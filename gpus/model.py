"""Makers of GPUs, and GPU models with the CPU of their hosts and the drivers that drive them."""

from dataclasses import dataclass
from enum import StrEnum

from gpus.mig import MigGeometry

NVIDIA = "nvidia"
AMD = "amd"
INTEL = "intel"
GAUDI = "gaudi"


@dataclass(frozen=True, slots=True)
class Vendor:
    """A maker of GPUs."""

    name: str
    resource: str
    """The extended resource that the vendor's device plugin advertises for one whole GPU."""
    taint_key: str
    """The key of the taint that keeps other pods off nodes with this vendor's GPUs."""
    pci_vendor: str
    """The PCI vendor identifier, four lower-case hexadecimal digits."""
    device_classes: tuple[str, ...] = ()
    """The device classes of its GPUs and of parts of them, which the vendor's driver for Dynamic
    Resource Allocation brings."""
    other_resources: tuple[str, ...] = ()
    """The extended resources that the plugin advertises for whole GPUs in place of `resource`."""
    further_architectures: tuple[str, ...] = ()
    """Architectures of GPUs that a cluster file may describe, and of which no table lists one."""
    devices_variable: str | None = None
    """The environment variable of a container that says to the vendor's container runtime which
    devices it takes; None where no runtime reads one."""
    no_devices: tuple[str, ...] = ()
    """The values of that variable that give none; the first is the one to set."""


_OPEN_BY_DEFAULT = 560
"""The first branch whose installer recommends open kernel modules
(`_resolve_kernel_type` in https://github.com/NVIDIA/gpu-driver-container)."""
_FIRST_OPEN = 515
"""The first branch with open kernel modules (the first tag of
https://github.com/NVIDIA/open-gpu-kernel-modules is 515.43.04)."""


class KernelModuleKind(StrEnum):
    """The two kinds of NVIDIA's kernel modules."""

    OPEN = "open"
    PROPRIETARY = "proprietary"


def version_key(version: str) -> tuple[int, ...]:
    """Return what versions of drivers, or branches of them, are compared by."""
    return tuple(int(part) for part in version.split("."))


@dataclass(frozen=True, slots=True)
class DriverSupport:
    """The drivers of a GPU; a branch is the first number of a version, such as 595."""

    kernel_modules: tuple[KernelModuleKind, ...]
    first_branch: int
    last_branch: int | None = None
    """None while new branches support it."""

    first_version: str | None = None
    """None where every version of the first branch drives it."""

    @property
    def first(self) -> str:
        """The first version that drives the GPU, or only its branch."""
        return self.first_version or str(self.first_branch)

    def __str__(self) -> str:
        if self.last_branch is None:
            return f"{self.first} or later"
        return f"{self.first} to {self.last_branch}"

    def has(self, version: str) -> bool:
        key = version_key(version)
        return version_key(self.first) <= key and key[0] <= (self.last_branch or key[0])

    def has_module(self, kind: KernelModuleKind, branch: int) -> bool:
        """Return whether the GPU works with a kind of kernel module, and a branch has that kind."""
        is_there = kind is KernelModuleKind.PROPRIETARY or branch >= _FIRST_OPEN
        return is_there and kind in self.kernel_modules

    def recommended(self, branch: int) -> KernelModuleKind:
        """Return the kind that a branch's installer chooses for the GPU by itself."""
        is_open = branch >= _OPEN_BY_DEFAULT and KernelModuleKind.OPEN in self.kernel_modules
        return KernelModuleKind.OPEN if is_open else KernelModuleKind.PROPRIETARY


HOST_ARCHITECTURE = "kubernetes.io/arch"
"""Node label that each kubelet sets
(https://kubernetes.io/docs/reference/labels-annotations-taints/)."""
USUAL_ARCHITECTURE = "amd64"
"""The architecture that images are built for where nobody thinks of it."""


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
    """The target of CUDA code, such as `9.0`; None for GPUs of other vendors."""
    driver: DriverSupport | None = None
    """The drivers that drive it; None for GPUs of other vendors."""
    nvlink_domain: int | None = None
    """The most GPUs that NVLink joins across machines; None where it ends at the machine."""
