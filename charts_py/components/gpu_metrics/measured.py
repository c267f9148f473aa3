"""Whose GPUs are measured: those whose exporter names nodes, so that a series has a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.amd_device_config.collected import measures_amd_gpus
from charts_py.components.gpu_metrics.counters_file import replaces_exporters_counters
from gpus.vendor import AMD, NVIDIA

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform


def measured_vendors(platform: Platform) -> tuple[str, ...]:
    """Return the vendors whose exporter measures the platform's GPUs of theirs."""
    measured = {
        NVIDIA: replaces_exporters_counters(platform),
        AMD: measures_amd_gpus(platform),
    }
    return tuple(vendor for vendor, is_measured in measured.items() if is_measured)
