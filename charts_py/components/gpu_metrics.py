"""What is collected of NVIDIA GPUs, as the file that the GPU operator's exporter reads.

The exporter's own file leaves out most errors: of memory, of NVLink, and what slowed a clock down.
Every row of the metrics has the label `node`, by which they join those of kube-state-metrics.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from hashlib import sha256

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.alert_tables import alerts_in_group, read_alerts
from charts_py.components.definition import Definition
from charts_py.components.gpu_sharing import NAMESPACE
from charts_py.metrics.series import DcgmCounter, Metric, known_series
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.metrics_collection import Alert, RecordingRule
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import Wave
from gpus.model import AMD, NVIDIA
from gpus.xid import Xid, XidClass, load_xids, xids_of


class PoolThreshold(StrEnum):
    """A threshold, by its field of the pool's `alerts`."""

    TEMPERATURE_MARGIN = "temperatureMargin"
    IDLE_MINUTES = "idleMinutes"


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
    if not replaces_exporters_counters(platform):
        return ()
    return _counters(platform.cluster.addons.monitoring.gpu_counters)


def _counters(collected: GpuCounters) -> tuple[DcgmCounter, ...]:
    profiles = collected is GpuCounters.PROFILING
    return tuple(each for each in known_series().dcgm if profiles or not each.is_for_profiling)


@cache
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


def measured_vendors(platform: Platform) -> tuple[str, ...]:
    """Return the vendors whose exporter measures the platform's GPUs of theirs.

    It names their nodes, so that a series has a pool.
    """
    measured = {NVIDIA: replaces_exporters_counters(platform), AMD: measures_amd_gpus(platform)}
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
    return known_series().amd if measures_amd_gpus(platform) else ()


def _objects(platform: Platform) -> tuple[Document, ...]:
    return (counters_config_map(platform.cluster.addons.monitoring.gpu_counters),)


def gpu_alerts() -> tuple[Alert, ...]:
    """Return every alert on NVIDIA GPUs.

    There is one for each class of errors (XID) that asks for something, one of its own for errors
    of hardware that may not be fatal, and one for all others.
    """
    hardware = xids_of(XidClass.HARDWARE)
    return read_alerts(
        __package__,
        "gpu_metrics",
        application=_codes(xids_of(XidClass.APPLICATION)),
        driver=_codes(xids_of(XidClass.HANG, XidClass.DRIVER)),
        graded_hardware=_codes(xid for xid in hardware if xid.is_graded),
        hardware=_codes(xid for xid in hardware if not xid.is_graded),
        # Where there was no error, the label is empty or 0.
        no_error_or_known=f"|0|{_codes(load_xids())}",
        nvidia=NVIDIA,
        temperature_margin=PoolThreshold.TEMPERATURE_MARGIN,
    )


def _codes(xids: Iterable[Xid]) -> str:
    return "|".join(str(xid.code) for xid in xids)


GPU_METRICS = Definition(
    name="gpu-metrics",
    description=__doc__,
    appears="with NVIDIA GPUs, where the cluster asks for other counters than the exporter's",
    is_wanted=replaces_exporters_counters,
    fields=("addons.monitoring.gpuCounters", "pools.NAME.alerts"),
    depends_on=("namespaces",),
    wave=Wave.CONFIGURATION,
    namespace=NAMESPACE,
    objects=_objects,
    # They read thresholds and pools of what is recorded of use.
    rules=alerts_in_group("gpu-metrics", NAMESPACE, gpu_alerts),
)
