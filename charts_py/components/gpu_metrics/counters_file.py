"""The file that lists what NVIDIA's exporter collects, and the ConfigMap that holds it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.gpu_sharing.sharing_config import NAMESPACE
from charts_py.metrics.series import DcgmCounter, known_series
from charts_py.objects.metadata import ObjectMeta, object_of
from gpus.vendor import NVIDIA

if TYPE_CHECKING:
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

_KEY = "dcgm-metrics.csv"
"""The key that the GPU operator mounts: `MetricsConfigFileName` in
controllers/object_controls.go of https://github.com/NVIDIA/gpu-operator at v26.7.0."""

_DRIVER_VERSION = "DCGM_FI_DRIVER_VERSION, label, Version of the driver"
"""A label of every row, as in the exporter's own file."""

_HASH_LENGTH = 8

_OF_THE_PLATFORM = (GpuCounters.HEALTH, GpuCounters.PROFILING)
"""With these the exporter reads a file of the platform, else its own."""


def replaces_exporters_counters(platform: Platform) -> bool:
    """Return whether NVIDIA's exporter has other counters than those of its own file.

    Only then do its rows name their node, by which they join all else.
    """
    asked = platform.cluster.addons.monitoring.gpu_counters in _OF_THE_PLATFORM
    return asked and bool(platform.pools_of(NVIDIA))


def collected_counters(platform: Platform) -> tuple[DcgmCounter, ...]:
    """Return the counters of the platform's own file; none where it has none."""
    if not replaces_exporters_counters(platform):
        return ()
    return _counters(platform.cluster.addons.monitoring.gpu_counters)


def _counters(collected: GpuCounters) -> tuple[DcgmCounter, ...]:
    profiles = collected is GpuCounters.PROFILING
    return tuple(each for each in known_series().dcgm if profiles or not each.is_for_profiling)


def counters_file(collected: GpuCounters) -> str:
    rows = (counter.row for counter in _counters(collected))
    return "".join(f"{row}\n" for row in (_DRIVER_VERSION, *rows))


def counters_config_map_name(collected: GpuCounters) -> str:
    """Return the name of the ConfigMap; with other counters it is another.

    An exporter reads its file when it starts, and is not restarted when the content changes.
    """
    content = counters_file(collected).encode()
    return f"dcgm-counters-{sha256(content).hexdigest()[:_HASH_LENGTH]}"


def counters_config_map(collected: GpuCounters) -> Document:
    metadata = ObjectMeta(counters_config_map_name(collected), NAMESPACE)
    return object_of("v1", "ConfigMap", metadata, {"data": {_KEY: counters_file(collected)}})
