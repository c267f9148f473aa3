"""Alerts on nodes that fail their burn-in, or never end it: nothing replaces them."""

from charts_py.components.gpu_burn_in.burn_in import BURN_IN_NAME, BURN_IN_TAINT, LONGEST_MINUTES
from charts_py.components.node_problem_detector.conditions import (
    GPU_BURN_IN_FAILED,
    GPU_BURN_IN_NOT_PASSED,
)
from charts_py.metrics.kube_state import NODE_CONDITION, NODE_TAINT
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup

_INSTALLING_MINUTES = 30
_FAILED = (
    f'max by (node) ({NODE_CONDITION.name}{{condition="{GPU_BURN_IN_FAILED}", status="true"}}) == 1'
)
_WAITING = f'max by (node) ({NODE_TAINT.name}{{key="{BURN_IN_TAINT.key}"}}) == 1'

BURN_IN_FAILED = Alert(
    name="GpuplaneGpuBurnInFailed",
    expression=_FAILED,
    lasting="1m",
    severity=Severity.WARNING,
    summary="The GPUs of node {{ $labels.node }} have failed their burn-in; the message of its"
    f" condition {GPU_BURN_IN_FAILED} says how. A new node takes no pods.",
    remedy=f"Read the log of its pod in the namespace {BURN_IN_NAME}, which holds the report of"
    " `dcgmi diag`. In a cloud, delete the node's machine; have a GPU of your own tested by its"
    " vendor. docs/health.md says how to test again, and how to let the node in as it is.",
    source="The condition that node-problem-detector sets from the verdict.",
)

BURN_IN_STUCK = Alert(
    name="GpuplaneGpuBurnInStuck",
    expression=f"{_WAITING} unless on (node) {_FAILED}",
    lasting=f"{_INSTALLING_MINUTES + LONGEST_MINUTES}m",
    severity=Severity.WARNING,
    summary="The burn-in of the GPUs of node {{ $labels.node }} does not end; its condition"
    f" {GPU_BURN_IN_NOT_PASSED} says what it waits for. The node takes no pods.",
    remedy=f"Look at its pod in the namespace {BURN_IN_NAME}: until the GPU operator has set up the"
    " container runtime it cannot be created, and until the operator's validator has run CUDA it"
    " waits. Look at the pods of both on that node, and at the pod of node-problem-detector.",
    source=f"{_INSTALLING_MINUTES} minutes are more than a node takes that installs its driver, and"
    f" the longest test may take {LONGEST_MINUTES}.",
)

# kube-state-metrics serves both.
RULE_GROUP = RuleGroup(
    BURN_IN_NAME, BURN_IN_NAME, (BURN_IN_FAILED, BURN_IN_STUCK), reads_other_namespaces=True
)
