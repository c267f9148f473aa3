"""Alerts on nodes whose kernel has told of a broken GPU, or that are set aside for one."""

from charts_py.components.gpu_health.quarantine import UNHEALTHY_KEY
from charts_py.components.node_problem_detector.conditions import (
    GPU_DRIVER_FAULT,
    GPU_HARDWARE_FAULT,
)
from charts_py.components.node_problem_detector.detector import DETECTOR_NAME
from charts_py.metrics.kube_state import NODE_CONDITION, NODE_TAINT
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_FAULT = (
    f"max by (node, condition) ({NODE_CONDITION.name}{{"
    f'condition=~"{GPU_HARDWARE_FAULT}|{GPU_DRIVER_FAULT}", status="true"}}) == 1'
)
_SET_ASIDE = f'max by (node) ({NODE_TAINT.name}{{key="{UNHEALTHY_KEY}"}}) == 1'
"""By any condition, those that the cloud's own detector sets included."""

GPU_FAULT = Alert(
    name="GpuplaneGpuFault",
    expression=_FAULT,
    lasting="1m",
    severity=Severity.CRITICAL,
    summary="The kernel of node {{ $labels.node }} has told of a broken GPU: its condition"
    " {{ $labels.condition }} is true. Pods that use the GPU fail, and so do those that get it next"
    " unless the node is set aside.",
    remedy="Read the reason and message of the condition (`kubectl describe node`), drain the node,"
    " and replace it, or reboot it on your own machines. If the error comes back on the same"
    " machine, have the GPU tested by its vendor.",
    source="One error is enough: each is of those for which NVIDIA's catalogue asks for a reset, a"
    " test or a new GPU (https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html).",
)

NODE_SET_ASIDE = Alert(
    name="GpuplaneNodeSetAside",
    expression=f"{_SET_ASIDE} unless on (node) {_FAULT}",
    lasting="1m",
    severity=Severity.CRITICAL,
    summary="Node {{ $labels.node }} is set aside for a broken GPU, of which a detector of the"
    " cloud has told.",
    remedy=GPU_FAULT.remedy,
    source="The taint of `addons.gpuHealth`, for a condition of the provider's own detector.",
)

ALERTS = (GPU_FAULT, NODE_SET_ASIDE)

RULE_GROUP = RuleGroup("gpu-health", DETECTOR_NAME, ALERTS, reads_other_namespaces=True)
