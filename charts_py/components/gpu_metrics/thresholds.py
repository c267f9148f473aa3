"""Thresholds of alerts that can be set for each pool, as series that the alerts compare with."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from charts_py.metrics.recorded_series import RecordedSeries
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from charts_py.platform.platform import PlatformPool
    from charts_py.spec.pool import PoolAlerts

THRESHOLD = RecordedSeries(
    "gpuplane_pool_threshold",
    ("pool", "threshold"),
    "pool, and threshold",
    "where alerts on the pool fire, by the field of its `alerts` and in the unit of that",
)


class PoolThreshold(StrEnum):
    """A threshold, by its field of the pool's `alerts`."""

    TEMPERATURE_MARGIN = "temperatureMargin"
    IDLE_MINUTES = "idleMinutes"


def of_pool(threshold: PoolThreshold) -> str:
    """Return the right side of a comparison of series that have the label `pool`, in PromQL."""
    return f'on (pool) group_left () {THRESHOLD.name}{{threshold="{threshold}"}}'


def recorded_thresholds(pools: Iterable[PlatformPool]) -> Iterator[RecordingRule]:
    """Yield the thresholds of pools as constants."""
    for pool in pools:
        for threshold, value in _thresholds(pool.spec.alerts).items():
            labels = {"pool": pool.name, "threshold": threshold.value}
            yield RecordingRule(THRESHOLD.name, f"vector({value})", labels)


def _thresholds(alerts: PoolAlerts) -> Mapping[PoolThreshold, int]:
    return {
        PoolThreshold.TEMPERATURE_MARGIN: alerts.temperature_margin,
        PoolThreshold.IDLE_MINUTES: alerts.idle_minutes,
    }
