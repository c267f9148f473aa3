"""What a workload rules out, whatever the GPU: isolation first, hardware second."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from gpuplane.reports.recommendation.isolation import (
    DEVICE_PLUGIN,
    MIG_GUIDE,
    MPS_GUIDE,
    SHARED,
)
from gpuplane.reports.recommendation.workload import Latency, Stage, Trust, Workload
from gpus.sharing import SharingKind


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
