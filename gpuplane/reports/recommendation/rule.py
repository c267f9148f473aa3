"""What a workload rules out, whatever the GPU: isolation first, hardware second."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

from gpuplane.reports.recommendation.workload import Latency, Stage, Trust, Workload
from gpus.sharing import SharingKind

_APPLIES: Mapping[str, Callable[[Workload], bool]] = {
    "others": lambda workload: workload.trust is Trust.OTHERS,
    "production": lambda workload: workload.stage is Stage.PRODUCTION,
    "strict": lambda workload: workload.latency is Latency.STRICT,
    "several GPUs": lambda workload: workload.gpus_per_pod > 1,
    "NVLink": lambda workload: workload.nvlink,
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


class Way(Struct, frozen=True, forbid_unknown_fields=True):
    """A way of sharing, and what pods on one GPU have to themselves by it."""

    words: str
    """What people call it."""
    memory: str
    faults: str
    compute: str
    source: str


class _Rule(Struct, frozen=True, forbid_unknown_fields=True):
    step: Step
    kinds: tuple[SharingKind, ...]
    applies: str
    reason: str
    source: str


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    sources: Mapping[str, str]
    ways: Mapping[SharingKind, Way]
    rules: tuple[_Rule, ...]


@cache
def _table() -> _Table:
    text = (files(__package__) / "rules.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    for row in (*table["ways"].values(), *table["rules"]):
        row["source"] = table["sources"][row["source"]]
    return convert(table, _Table)


def ways() -> Mapping[SharingKind, Way]:
    """Return the ways of sharing, that which keeps most apart first: a GPU to itself."""
    return _table().ways


def refusal(kind: SharingKind, workload: Workload) -> Refusal | None:
    """Return why a way of sharing is not for a workload on any GPU; None where it may be."""
    for rule in _table().rules:
        if kind in rule.kinds and _APPLIES[rule.applies](workload):
            return Refusal(kind, rule.step, rule.reason, rule.source)
    return None
