"""What is collected of NVIDIA GPUs, as the file that the GPU operator's exporter reads.

The exporter's own file leaves out most errors: of memory, of NVLink, and what slowed a clock down.
Every row of the metrics has the label `node`, by which they join those of kube-state-metrics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.alert_tables import alerts_in_group, read_alerts
from charts_py.components.definition import Definition
from charts_py.components.gpu_metrics.counters_file import (
    counters_config_map,
    replaces_exporters_counters,
)
from charts_py.components.gpu_metrics.measured import PoolThreshold
from charts_py.components.gpu_sharing.sharing_config import NAMESPACE
from charts_py.platform.wave import Wave
from gpus.vendor import NVIDIA
from gpus.xid import Xid, XidClass, load_xids, xids_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from charts_py.objects.document import Document
    from charts_py.platform.metrics_collection import Alert
    from charts_py.platform.platform import Platform


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
        application=_codes(xids_of(XidClass.APPLICATION)),
        driver=_codes(xids_of(XidClass.DRIVER)),
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
