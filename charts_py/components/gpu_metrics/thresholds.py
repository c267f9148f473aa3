"""Thresholds of alerts that can be set for each pool, as series that the alerts compare with."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from charts_py.components.gpu_metrics.measured import measured_vendors
from charts_py.metrics.recorded import THRESHOLD
from charts_py.platform.recording_rule import RecordingRule
from gpus.vendor import NVIDIA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform, PlatformPool


class PoolThreshold(StrEnum):
    """A threshold, by its field of the pool's `alerts`."""

    TEMPERATURE_MARGIN = "temperatureMargin"
    IDLE_MINUTES = "idleMinutes"


def of_pool(threshold: PoolThreshold) -> str:
    """Return the right side of a comparison of series that have the label `pool`, in PromQL."""
    return f'on (pool) group_left () {THRESHOLD.name}{{threshold="{threshold}"}}'


def recorded_thresholds(platform: Platform) -> Iterator[RecordingRule]:
    """Yield the thresholds of pools whose GPUs are measured, as constants."""
    for vendor in measured_vendors(platform):
        for pool in platform.pools_of(vendor):
            # Of AMD's exporter there is no margin to compare with.
            if vendor == NVIDIA:
                margin = pool.spec.alerts.temperature_margin
                yield _recorded(pool, PoolThreshold.TEMPERATURE_MARGIN, margin)
            yield _recorded(pool, PoolThreshold.IDLE_MINUTES, pool.spec.alerts.idle_minutes)


def _recorded(pool: PlatformPool, threshold: PoolThreshold, value: int) -> RecordingRule:
    labels = {"pool": pool.name, "threshold": threshold.value}
    return RecordingRule(THRESHOLD.name, f"vector({value})", labels)
