"""What a series is that Prometheus records by the platform's rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordedSeries:
    """The name of a series, for those who record it and those who read it."""

    name: str
    """A fact of the cluster file, as `gpuplane_pool_info`; or what follows from measurements, by
    level, metric and operation, as `team:gpuplane_used_gpus:sum`."""
    labels: tuple[str, ...]
    one_for_each: str
    """How many there are."""
    help: str
    """What it is, and its unit."""
