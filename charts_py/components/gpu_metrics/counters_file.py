"""The file that lists what NVIDIA's exporter collects, and the ConfigMap that holds it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.metrics.dcgm import HEALTH_COUNTERS, PROFILING_COUNTERS
from charts_py.objects.metadata import ObjectMeta, object_of
from gpus.vendor import NVIDIA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from charts_py.metrics.dcgm_counter import DcgmCounter
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

_KEY = "dcgm-metrics.csv"
"""The key that the GPU operator mounts: `MetricsConfigFileName` in
controllers/object_controls.go of https://github.com/NVIDIA/gpu-operator at v26.7.0."""

_DRIVER_VERSION = "DCGM_FI_DRIVER_VERSION, label, Version of the driver"
"""A label of every row, as in the exporter's own file."""

_HASH_LENGTH = 8

_COLLECTED: Mapping[GpuCounters, tuple[DcgmCounter, ...]] = {
    GpuCounters.HEALTH: HEALTH_COUNTERS,
    GpuCounters.PROFILING: (*HEALTH_COUNTERS, *PROFILING_COUNTERS),
}
"""The counters of a file of the platform's own."""


def replaces_exporters_counters(platform: Platform) -> bool:
    """Return whether NVIDIA's exporter has other counters than those of its own file.

    Only then do its rows name their node, by which they join all else.
    """
    asked = platform.cluster.addons.monitoring.gpu_counters in _COLLECTED
    return asked and bool(platform.pools_of(NVIDIA))


def collected_counters(platform: Platform) -> tuple[DcgmCounter, ...]:
    """Return the counters of the platform's own file; none where it has none."""
    if not replaces_exporters_counters(platform):
        return ()
    return _COLLECTED[platform.cluster.addons.monitoring.gpu_counters]


def counters_file(collected: GpuCounters) -> str:
    """Return the lines of the exporter's file."""
    rows = (counter.row for counter in _COLLECTED[collected])
    return "".join(f"{row}\n" for row in (_DRIVER_VERSION, *rows))


def counters_config_map_name(collected: GpuCounters) -> str:
    """Return the name of the ConfigMap; with other counters it is another.

    An exporter reads its file when it starts, and is not restarted when the content changes.
    """
    content = counters_file(collected).encode()
    return f"dcgm-counters-{sha256(content).hexdigest()[:_HASH_LENGTH]}"


def counters_config_map(collected: GpuCounters) -> Document:
    """Return the ConfigMap, in the namespace of the GPU operator."""
    metadata = ObjectMeta(counters_config_map_name(collected), NAMESPACE)
    return object_of("v1", "ConfigMap", metadata, {"data": {_KEY: counters_file(collected)}})
