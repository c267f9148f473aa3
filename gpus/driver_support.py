"""Which NVIDIA drivers drive a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
        """Return whether a version drives the GPU."""
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
