"""What a metric of AMD's exporter is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AmdMetric:
    """A metric, as Prometheus names it."""

    name: str
    help: str
    """What it is, and its unit."""
