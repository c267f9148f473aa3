"""What each way of sharing keeps apart, and what it does not.

Sources
- MIG: https://docs.nvidia.com/datacenter/tesla/mig-user-guide/
- MPS: https://docs.nvidia.com/deploy/mps/; the limits of each client are set by the device plugin
- time-slicing: https://github.com/NVIDIA/k8s-device-plugin (README, "Shared Access to GPUs")
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gpus.sharing import SharingKind

DEVICE_PLUGIN = "https://github.com/NVIDIA/k8s-device-plugin#shared-access-to-gpus"
MIG_GUIDE = "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/"
MPS_GUIDE = "https://docs.nvidia.com/deploy/mps/"

SHARED = (
    SharingKind.MIG,
    SharingKind.MIG_TIME_SLICING,
    SharingKind.MPS,
    SharingKind.TIME_SLICING,
)
"""The ways to share a GPU, that which keeps most apart first."""

KINDS = (SharingKind.NONE, *SHARED)


@dataclass(frozen=True, slots=True)
class Isolation:
    """What pods on one GPU have to themselves."""

    memory: str
    faults: str
    compute: str
    source: str


ISOLATION: Mapping[SharingKind, Isolation] = {
    SharingKind.NONE: Isolation(
        "all of the GPU's",
        "nobody else is on the GPU",
        "all of the GPU's",
        DEVICE_PLUGIN,
    ),
    SharingKind.MIG: Isolation(
        "its own, with its own cache and bandwidth, by hardware",
        "one in an instance ends no pod of another; one of the whole GPU ends all",
        "its own, by hardware",
        MIG_GUIDE,
    ),
    SharingKind.MPS: Isolation(
        "an address space of its own, and an equal part at most; cache and bandwidth are shared",
        "not isolated: a fatal one ends all pods on the GPU",
        "an equal part at most",
        MPS_GUIDE,
    ),
    SharingKind.MIG_TIME_SLICING: Isolation(
        "isolated between instances; within one, a pod can take all of it",
        "one ends no pod of another instance, but all of its own",
        "isolated between instances; within one, pods take turns",
        DEVICE_PLUGIN,
    ),
    SharingKind.TIME_SLICING: Isolation(
        "not bounded: a pod can take all of it",
        "not isolated: one ends all pods on the GPU",
        "pods take turns",
        DEVICE_PLUGIN,
    ),
}


def words_of(kind: SharingKind) -> str:
    """Return what people call a way of sharing."""
    names = {
        SharingKind.NONE: "whole GPUs",
        SharingKind.MIG: "MIG",
        SharingKind.MPS: "MPS",
        SharingKind.MIG_TIME_SLICING: "MIG with time-slicing",
        SharingKind.TIME_SLICING: "time-slicing",
    }
    return names[kind]
