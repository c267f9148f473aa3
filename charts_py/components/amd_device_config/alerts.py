"""Alerts on AMD GPUs, by what AMD's exporter measures of them."""

from charts_py.components.amd_gpu_operator.definition import NAMESPACE
from charts_py.metrics.amd import (
    HEALTH,
    SLOWED_BY_MEMORY_HEAT,
    SLOWED_BY_REGULATOR_HEAT,
    SLOWED_BY_SOCKET_HEAT,
    UNCORRECTABLE_ERRORS,
)
from charts_py.metrics.kube_state import NODE_CAPACITY
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_GPU = "GPU {{ $labels.gpu_id }} of node {{ $labels.node }}"
_METRICS = (
    "https://github.com/ROCm/device-metrics-exporter, docs/configuration/metricslist.md at v1.5.1"
)

_SLOWED = " or ".join(
    f"max by (node, gpu_id) ({metric.name}) > 0"
    for metric in (SLOWED_BY_SOCKET_HEAT, SLOWED_BY_MEMORY_HEAT, SLOWED_BY_REGULATOR_HEAT)
)

UNHEALTHY = Alert(
    name="GpuplaneAmdGpuUnhealthy",
    expression=f"min by (node, gpu_id) ({HEALTH.name}) == 0",
    lasting="5m",
    severity=Severity.CRITICAL,
    summary=f"{_GPU} is not well; the device plugin withholds it.",
    remedy="`amd-smi ras` on the node says which block had errors. Drain the node and reset the GPU"
    " or reboot; have it replaced if it comes back.",
    source=f"The exporter's own verdict ({_METRICS}).",
)
UNCORRECTABLE = Alert(
    name="GpuplaneAmdGpuUncorrectableErrors",
    # The pod that holds a GPU is a label: the next one's row has not grown when it appears.
    expression=f"increase((max by (node, gpu_id) ({UNCORRECTABLE_ERRORS.name}))[15m:1m]) > 0",
    lasting="0m",
    severity=Severity.WARNING,
    summary=f"{_GPU} has had an error that ECC cannot correct, which ended what used it.",
    remedy="Drain the node and reset the GPU or reboot, which retires the page. Have it replaced if"
    " it comes back.",
    source=f"Any is one too many ({_METRICS}).",
)
SLOWED_BY_HEAT = Alert(
    name="GpuplaneAmdGpuSlowedByHeat",
    expression=_SLOWED,
    lasting="10m",
    severity=Severity.WARNING,
    summary=f"{_GPU} is slowed down by heat for {{{{ $value | printf `%.0f` }}}} % of the time.",
    remedy="Look at the cooling of the machine: fans, filters, the temperature of the room.",
    source=f"The GPU says so itself ({_METRICS}); ten minutes leave out what ends by itself.",
)
EXPORTER_ABSENT = Alert(
    name="GpuplaneAmdGpuExporterAbsent",
    expression=f'max by (node) ({NODE_CAPACITY.name}{{resource=~"amd_com_.+"}}) > 0'
    f" unless on (node) max by (node) ({HEALTH.name})",
    lasting="15m",
    severity=Severity.WARNING,
    summary="Nobody measures the GPUs of node {{ $labels.node }}: no other alert on them fires.",
    remedy="Look at the pod of the metrics exporter on that node, and at whether Prometheus reaches"
    " it.",
    source="15 minutes are more than a new node takes from its first GPU to its first metric.",
)

RULE_GROUP = RuleGroup(
    "amd-gpus",
    NAMESPACE,
    (UNHEALTHY, UNCORRECTABLE, SLOWED_BY_HEAT, EXPORTER_ABSENT),
    reads_other_namespaces=True,
)
