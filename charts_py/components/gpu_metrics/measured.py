"""The vendors whose GPUs are measured, and the thresholds of alerts on their pools."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from charts_py.components.gpu_metrics.counters_file import replaces_exporters_counters
from charts_py.metrics.series import Metric, known_series
from charts_py.platform.metrics_collection import RecordingRule
from gpus.vendor import AMD, NVIDIA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform, PlatformPool


class PoolThreshold(StrEnum):
    """A threshold, by its field of the pool's `alerts`."""

    TEMPERATURE_MARGIN = "temperatureMargin"
    IDLE_MINUTES = "idleMinutes"


def measured_vendors(platform: Platform) -> tuple[str, ...]:
    """Return the vendors whose exporter measures the platform's GPUs of theirs.

    It names their nodes, so that a series has a pool.
    """
    measured = {
        NVIDIA: replaces_exporters_counters(platform),
        AMD: measures_amd_gpus(platform),
    }
    return tuple(vendor for vendor, is_measured in measured.items() if is_measured)


def recorded_thresholds(platform: Platform) -> Iterator[RecordingRule]:
    """Yield the thresholds of pools whose GPUs are measured, as series to compare with."""
    for vendor in measured_vendors(platform):
        for pool in platform.pools_of(vendor):
            # AMD's exporter reports no margin to compare with.
            if vendor == NVIDIA:
                margin = pool.spec.alerts.temperature_margin
                yield _recorded(pool, PoolThreshold.TEMPERATURE_MARGIN, margin)
            yield _recorded(pool, PoolThreshold.IDLE_MINUTES, pool.spec.alerts.idle_minutes)


def _recorded(pool: PlatformPool, threshold: PoolThreshold, value: int) -> RecordingRule:
    labels = {"pool": pool.name, "threshold": threshold.value}
    return RecordingRule("gpuplane_pool_threshold", f"vector({value})", labels)


def measures_amd_gpus(platform: Platform) -> bool:
    """Return whether AMD's exporter is scraped: its operator only makes ServiceMonitors."""
    return platform.monitoring.has_operator and bool(platform.pools_of(AMD))


def collected_amd_metrics(platform: Platform) -> tuple[Metric, ...]:
    """Return the metrics of AMD's exporter; none where nobody scrapes it."""
    return known_series().amd if measures_amd_gpus(platform) else ()
