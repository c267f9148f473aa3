"""How Prometheus watches Kueue."""

from charts_py.components.authorized_metrics import authorized_metrics, may_read_metrics
from charts_py.components.kueue.alerts import ALERTS, METRICS_SERVICE
from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.components.scraped_by_operator import scraped_by_operator
from charts_py.platform.platform import Platform
from charts_py.platform.rule_group import RuleGroup

RULE_GROUP = RuleGroup("kueue", KUEUE_NAMESPACE, ALERTS)

scraped = scraped_by_operator(
    authorized_metrics(
        METRICS_SERVICE,
        KUEUE_NAMESPACE,
        {"app.kubernetes.io/name": "kueue", "app.kubernetes.io/component": "metrics-service"},
    )
)

MAY_READ_METRICS = may_read_metrics(
    "Kueue",
    "kueue-metrics-reader",
    alerts="the alerts on Kueue and its queues",
    otherwise="`GpuplaneKueueDown` fires",
)


def rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on, where it is scraped."""
    return (RULE_GROUP,) if platform.monitoring.has_operator else ()
