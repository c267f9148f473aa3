"""Alerts on quotas of GPUs that are all but taken, and on budgets that keep nodes from draining."""

from charts_py.metrics.joins import WITH_TEAM
from charts_py.metrics.kube_state import (
    BUDGET_ALLOWS,
    BUDGET_HEALTHY,
    BUDGET_PODS,
    BUDGET_SEEN,
    RESOURCE_QUOTA,
)
from charts_py.metrics.kube_state_metric import KubeStateMetric
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.rule_group import RuleGroup

_NEARLY = 0.9
_LABELS = "namespace, resource"


def _quota(kind: str) -> str:
    """Return the hard bound of GPUs, or what is used of it; the quota leaves other resources."""
    selector = f'type="{kind}", resource=~"requests[.].+/.+"'
    return f"max by ({_LABELS}) ({RESOURCE_QUOTA.name}{{{selector}}})"


QUOTA_NEARLY_FULL = Alert(
    name="GpuplaneQuotaNearlyFull",
    expression=f"({_quota('used')} / ({_quota('hard')} > 0) >= {_NEARLY}) {WITH_TEAM}",
    lasting="15m",
    severity=Severity.INFO,
    summary="Namespace {{ $labels.namespace }} has taken {{ $value | humanizePercentage }} of its"
    " quota of {{ $labels.resource }}; pods beyond it are refused.",
    remedy="Nothing where the quota is meant to be used up. Else the team ends what it no longer"
    " needs, or gets more in `teams.NAME.namespaces.NAME.quota`.",
    source="A tenth is left, so that it is told before pods are refused.",
)

_BLOCKED_HOURS = 12


def _of_budget(metric: KubeStateMetric) -> str:
    return f"max by (namespace, poddisruptionbudget) ({metric.name})"


_HAS_PODS = " or ".join(
    (
        f"{_of_budget(BUDGET_PODS)} > 0",
        # Pods without an owner are healthy, but not expected.
        f"{_of_budget(BUDGET_HEALTHY)} > 0",
        # Of pods whose owner has no scale, such as a Job, the controller reads nothing.
        f"{_of_budget(BUDGET_SEEN)} == 0",
    )
)
"""Source: pkg/controller/disruption/disruption.go of https://github.com/kubernetes/kubernetes at
v1.37.1."""

DRAIN_BLOCKED = Alert(
    name="GpuplaneDrainBlocked",
    expression=f"(({_HAS_PODS}) unless {_of_budget(BUDGET_ALLOWS)} > 0) {WITH_TEAM}",
    lasting=f"{_BLOCKED_HOURS}h",
    severity=Severity.INFO,
    summary="PodDisruptionBudget {{ $labels.poddisruptionbudget }} of namespace"
    f" {{{{ $labels.namespace }}}} has let none of its pods go for {_BLOCKED_HOURS} hours; a node"
    " with one of them cannot be drained.",
    remedy="The team runs one replica more than the budget asks for, or lets one go"
    " (`maxUnavailable: 1`, or a percentage, which is rounded up). Where its pods are of a Job, or"
    " of nothing, only a number in `minAvailable` lets any go: delete the budget, and write"
    " checkpoints. Where they are not ready, mend these, or set"
    " `unhealthyPodEvictionPolicy: AlwaysAllow`.",
    source="https://kubernetes.io/docs/tasks/run-application/configure-pdb/; longer than a rollout"
    " or a restart from a checkpoint takes, and told before a drain has to wait for it.",
)

RULE_GROUP = RuleGroup(
    "gpu-quotas",
    KUBE_SYSTEM_NAMESPACE,
    (QUOTA_NEARLY_FULL, DRAIN_BLOCKED),
    reads_other_namespaces=True,
)
