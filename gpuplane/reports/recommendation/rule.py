"""What a workload rules out, whatever the GPU: isolation first, hardware second."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from gpuplane.reports.recommendation.workload import Latency, Stage, Trust, Workload
from gpus.sharing import SharingKind

DEVICE_PLUGIN = "https://github.com/NVIDIA/k8s-device-plugin#shared-access-to-gpus"
MIG_GUIDE = "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/"
MPS_GUIDE = "https://docs.nvidia.com/deploy/mps/"
SHARED = (SharingKind.MIG, SharingKind.MIG_TIME_SLICING, SharingKind.MPS, SharingKind.TIME_SLICING)
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
        "all of the GPU's", "nobody else is on the GPU", "all of the GPU's", DEVICE_PLUGIN
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


class Step(StrEnum):
    """What decides, in this order."""

    ISOLATION = "isolation"
    HARDWARE = "hardware"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a way of sharing is not for a workload."""

    kind: SharingKind
    step: Step
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Ways of sharing that are not for some workloads."""

    step: Step
    kinds: tuple[SharingKind, ...]
    applies: Callable[[Workload], bool]
    reason: str
    source: str


_TURNS = (SharingKind.TIME_SLICING, SharingKind.MIG_TIME_SLICING)
RULES: tuple[Rule, ...] = (
    Rule(
        Step.ISOLATION,
        _TURNS,
        lambda workload: workload.trust is Trust.OTHERS,
        "pods of other teams would take its memory, and their faults would end it",
        DEVICE_PLUGIN,
    ),
    Rule(
        Step.ISOLATION,
        (SharingKind.MPS,),
        lambda workload: workload.trust is Trust.OTHERS,
        "faults of pods of other teams would end it, and it takes one user ID at a time",
        MPS_GUIDE,
    ),
    Rule(
        Step.ISOLATION,
        _TURNS,
        lambda workload: workload.stage is Stage.PRODUCTION,
        "nothing bounds the memory of a neighbour, whose fault would end it in production",
        DEVICE_PLUGIN,
    ),
    Rule(
        Step.ISOLATION,
        (SharingKind.MPS, *_TURNS),
        lambda workload: workload.latency is Latency.STRICT,
        "neighbours share memory bandwidth and cache, and so spoil a strict latency",
        MIG_GUIDE,
    ),
    Rule(
        Step.HARDWARE,
        SHARED,
        lambda workload: workload.gpus_per_pod > 1,
        "several GPUs compute together only as whole ones",
        MIG_GUIDE,
    ),
    Rule(
        Step.HARDWARE,
        SHARED,
        lambda workload: workload.nvlink,
        "NVLink joins whole GPUs alone",
        MIG_GUIDE,
    ),
)
"""Of those that apply, the first is given."""


def refusal(kind: SharingKind, workload: Workload) -> Refusal | None:
    """Return why a way of sharing is not for a workload on any GPU; None where it may be."""
    for rule in RULES:
        if kind in rule.kinds and rule.applies(workload):
            return Refusal(kind, rule.step, rule.reason, rule.source)
    return None


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
