"""An alert on quotas of GPUs that are all but taken."""

from charts_py.metrics.joins import WITH_TEAM
from charts_py.metrics.kube_state import RESOURCE_QUOTA
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

RULE_GROUP = RuleGroup(
    "gpu-quotas", KUBE_SYSTEM_NAMESPACE, (QUOTA_NEARLY_FULL,), reads_other_namespaces=True
)
