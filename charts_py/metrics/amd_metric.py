"""What a metric of AMD's exporter is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AmdMetric:
    """A metric, as Prometheus names it."""

    name: str
    help: str
    """What it is, and its unit."""

    @property
    def told_apart_by(self) -> tuple[str, ...]:
        """The labels that tell GPUs apart."""
        return ("node", "gpu_id")
