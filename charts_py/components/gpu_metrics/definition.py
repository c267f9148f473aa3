"""What is collected of NVIDIA GPUs, as the file that the GPU operator's exporter reads.

The exporter's own file leaves out most errors: of memory, of NVLink, and what slowed a clock down.
Every row of the metrics has the label `node`, by which they join those of kube-state-metrics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.gpu_metrics.alerts.rule_group import gpu_alerts, gpu_rules
from charts_py.components.gpu_metrics.counters_file import (
    counters_config_map,
    replaces_exporters_counters,
)
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.platform.prerequisite import Prerequisite
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def _objects(platform: Platform) -> tuple[Document, ...]:
    return (counters_config_map(platform.cluster.addons.monitoring.gpu_counters),)


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
    rules=lambda _: gpu_rules(),
    alerts=gpu_alerts,
    prerequisites=(
        Prerequisite(
            name="kube-state-metrics",
            needed="for the alerts on GPUs that are too hot for their pool, or not measured",
            without="these alerts never fire",
        ),
    ),
)
