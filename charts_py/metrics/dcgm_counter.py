"""What a counter of NVIDIA's DCGM exporter is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MetricType(StrEnum):
    """How Prometheus reads a metric."""

    GAUGE = "gauge"
    COUNTER = "counter"


class Scope(StrEnum):
    """What a value is of, where a GPU is partitioned by MIG.

    The exporter then has a row for each instance alone. In it stands the value of the instance, or
    that of the whole GPU once more, which a sum counts as often as there are instances.
    """

    INSTANCE = "instance"
    GPU = "gpu"


@dataclass(frozen=True, slots=True)
class DcgmCounter:
    """A counter, as the exporter's file lists it and Prometheus names it."""

    name: str
    field: int | None
    """DCGM's number of the field, which outlives its names; None for what the exporter itself makes
    of fields: counts of the last five minutes, and the state of health."""
    type: MetricType
    scope: Scope
    help: str
    """What it is and its unit; without a comma, which ends a column."""

    @property
    def row(self) -> str:
        """Its line in the exporter's file."""
        return f"{self.name}, {self.type}, {self.help}"

    @property
    def told_apart_by(self) -> tuple[str, ...]:
        """The labels that tell GPUs apart, or MIG instances where it is of these."""
        instance = ("GPU_I_ID",) if self.scope is Scope.INSTANCE else ()
        return ("node", "gpu", *instance)
