"""An alert on nodes that never become ready: nothing replaces them, nor the pods that wait."""

from charts_py.components.node_readiness.readiness import (
    CONDITION,
    CONTROLLER_NAME,
    STARTUP_TAINT,
)
from charts_py.platform.alert import Alert
from charts_py.platform.rule_group import RuleGroup

_STUCK_MINUTES = 30
"""More than a node takes that installs its driver, and reboots to partition its GPUs."""

NODE_NOT_READY = Alert(
    "GpuplaneNodeNotReady",
    f'kube_node_spec_taint{{key="{STARTUP_TAINT.key}"}} == 1',
    f"{_STUCK_MINUTES}m",
    "warning",
    "The node {{ $labels.node }} lacks GPUs that its pool promises; its condition"
    f" {CONDITION} says which. Its pods wait until somebody deletes it.",
)

# kube-state-metrics serves it.
RULE_GROUP = RuleGroup(
    "node-readiness", CONTROLLER_NAME, (NODE_NOT_READY,), reads_other_namespaces=True
)
