"""What Prometheus collects of AMD GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.metrics.series import Metric, known_series
from gpus.vendor import AMD

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform


def measures_amd_gpus(platform: Platform) -> bool:
    """Return whether AMD's exporter is scraped: its operator only makes ServiceMonitors."""
    return platform.monitoring.has_operator and bool(platform.pools_of(AMD))


def collected_amd_metrics(platform: Platform) -> tuple[Metric, ...]:
    """Return the metrics of AMD's exporter; none where nobody scrapes it."""
    return known_series().amd if measures_amd_gpus(platform) else ()
