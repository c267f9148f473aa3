"""Which NVIDIA drivers drive a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_OPEN_BY_DEFAULT = 560
"""The first branch whose installer recommends open kernel modules
(`_resolve_kernel_type` in https://github.com/NVIDIA/gpu-driver-container)."""


class KernelModuleKind(StrEnum):
    """The two kinds of NVIDIA's kernel modules."""

    OPEN = "open"
    PROPRIETARY = "proprietary"


@dataclass(frozen=True, slots=True)
class DriverSupport:
    """The drivers of a GPU; a branch is the first number of a version, such as 595."""

    kernel_modules: tuple[KernelModuleKind, ...]
    first_branch: int
    last_branch: int | None = None
    """None while new branches support it."""

    def __str__(self) -> str:
        if self.last_branch is None:
            return f"{self.first_branch} or later"
        return f"{self.first_branch} to {self.last_branch}"

    def has(self, branch: int) -> bool:
        """Tell whether a branch drives the GPU."""
        return self.first_branch <= branch <= (self.last_branch or branch)

    def recommended(self, branch: int) -> KernelModuleKind:
        """Return the kind that a branch's installer chooses for the GPU by itself."""
        is_open = branch >= _OPEN_BY_DEFAULT and KernelModuleKind.OPEN in self.kernel_modules
        return KernelModuleKind.OPEN if is_open else KernelModuleKind.PROPRIETARY
