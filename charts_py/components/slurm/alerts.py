"""Alerts on Slurm: nobody else sees its jobs wait."""

from charts_py.components.slurm.api import (
    CONTROLLER,
    CONTROLLER_PORT_NAME,
    CONTROLLER_SELECTOR,
)
from charts_py.components.slurm_operator.namespaces import SLURM_NAMESPACE
from charts_py.metrics.slurm import NODES_DOWN as DOWN_NODES
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.rule_group import RuleGroup
from charts_py.platform.scrape_target import ScrapeTarget

TARGET = ScrapeTarget(
    CONTROLLER, SLURM_NAMESPACE, CONTROLLER_SELECTOR, CONTROLLER_PORT_NAME, path="/metrics/nodes"
)
"""https://slurm.schedmd.com/metrics.html"""

CONTROLLER_DOWN = Alert(
    name="GpuplaneSlurmControllerDown",
    expression=f'absent(up{{namespace="{SLURM_NAMESPACE}", job="{CONTROLLER}"}} == 1)',
    lasting="10m",
    severity=Severity.CRITICAL,
    summary="The controller of Slurm does not answer: no job is taken, and none starts. Jobs that"
    " run go on.",
    remedy=f"Look at the pod {CONTROLLER}-0 in {SLURM_NAMESPACE}, its events first: a Secret that"
    " is missing, a volume that no StorageClass makes. If it is ready, Prometheus does not reach"
    " it.",
    source="Ten minutes are more than a pod with a volume takes to move to another node.",
)

NODES_DOWN = Alert(
    name="GpuplaneSlurmNodesDown",
    expression=f'max({DOWN_NODES}{{namespace="{SLURM_NAMESPACE}"}}) > 0',
    lasting="30m",
    severity=Severity.WARNING,
    summary="{{ $value }} nodes of Slurm are down: no job runs on them.",
    remedy="Run `sinfo -R` in the controller, which says which and why, and look at the pods of"
    f" these names in {SLURM_NAMESPACE}: one that is pending waits for a free node of its pool."
    " `scontrol delete nodename=NAME` forgets one that is to be no longer.",
    source="The state that the operator sets when it stops a pod, and Slurm where a node does not"
    " answer. 30 minutes are more than a node takes that installs its driver.",
)

RULE_GROUP = RuleGroup(SLURM_NAMESPACE, SLURM_NAMESPACE, (CONTROLLER_DOWN, NODES_DOWN))
