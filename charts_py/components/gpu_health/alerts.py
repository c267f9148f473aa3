"""Alerts on nodes whose kernel reported a broken GPU, or that are set aside, one or many."""

from charts_py.components.gpu_health.quarantine import UNHEALTHY_KEY
from charts_py.components.node_problem_detector.conditions import (
    GPU_DRIVER_FAULT,
    GPU_HARDWARE_FAULT,
)
from charts_py.components.node_problem_detector.detector import DETECTOR_NAME
from charts_py.metrics.kube_state import NODE_CONDITION, NODE_TAINT
from charts_py.metrics.recorded import NODE_POOL
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_SHARE = 0.2
_SEVERAL = 2
_FEW = 4

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

_UNWELL = f"({NODE_POOL.name} and on (node) (({_SET_ASIDE}) or on (node) ({_FAULT})))"
_UNWELL_NODES = f"count by (pool) ({_UNWELL})"
_NODES = f"count by (pool) ({NODE_POOL.name})"

POOL_SET_ASIDE = Alert(
    name="GpuplanePoolSetAside",
    expression=f"{_UNWELL_NODES} / {_NODES} > {_SHARE}"
    f" and on (pool) {_UNWELL_NODES} >= {_SEVERAL} and on (pool) {_NODES} >= {_FEW}",
    lasting="5m",
    severity=Severity.CRITICAL,
    summary="Of the nodes of pool {{ $labels.pool }}, {{ $value | humanizePercentage }} are set"
    " aside for broken GPUs, or are said to have some: the cause is rather a driver, a job or the"
    " detector than so many GPUs.",
    remedy="Compare reason and message of the conditions (`kubectl describe node`), which pod each"
    " node had when it got its condition, and what was changed before: driver, kernel, or image of"
    " the detector. End the job that goes from node to node. Until the cause is found,"
    " `addons.gpuHealth.action: observe` takes the taint off, and sets no further node aside.",
    source=f"More than a fifth of the nodes, and at least {_SEVERAL}, of a pool of {_FEW} or more:"
    " GPUs break one at a time. Where `action` is `observe`, it counts the conditions that would"
    " lead to the taint; those of a provider's own detector only once they have led to it.",
)

ALERTS = (GPU_FAULT, NODE_SET_ASIDE, POOL_SET_ASIDE)

RULE_GROUP = RuleGroup("gpu-health", DETECTOR_NAME, ALERTS, reads_other_namespaces=True)
