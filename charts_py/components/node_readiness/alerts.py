"""An alert on nodes that never become ready: nothing replaces them, nor the pods that wait."""

from charts_py.components.node_problem_detector.conditions import GPU_NOT_READY
from charts_py.components.node_readiness.readiness import STARTUP_TAINT
from charts_py.components.node_readiness_controller_namespace.definition import CONTROLLER_NAME
from charts_py.metrics.kube_state import NODE_TAINT
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_STUCK_MINUTES = 30

NODE_NOT_READY = Alert(
    name="GpuplaneNodeNotReady",
    expression=f'max by (node) ({NODE_TAINT.name}{{key="{STARTUP_TAINT.key}"}}) == 1',
    lasting=f"{_STUCK_MINUTES}m",
    severity=Severity.WARNING,
    summary="The node {{ $labels.node }} lacks GPUs that its pool promises; its condition"
    f" {GPU_NOT_READY} says which. Its pods wait until somebody deletes it.",
    remedy="Look at the pods of the device plugin, and of the driver and the MIG manager where the"
    " GPU operator runs them, on that node. Delete the node if nothing there is wrong: Karpenter"
    " makes another.",
    source=f"{_STUCK_MINUTES} minutes are more than a node takes that installs its driver, and"
    " reboots to partition its GPUs.",
)

# kube-state-metrics serves it.
RULE_GROUP = RuleGroup(
    "node-readiness", CONTROLLER_NAME, (NODE_NOT_READY,), reads_other_namespaces=True
)
