"""How Prometheus watches Kueue."""

from charts_py.components.alert_tables import read_alerts
from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.components.scraping import authorized_metrics, scraped_by_operator
from charts_py.platform.platform import Platform
from charts_py.platform.prometheus_rules import Alert, RuleGroup

METRICS_SERVICE = "kueue-controller-manager-metrics-service"
"""The Service before its metrics, by which Prometheus names the job."""

scraped = scraped_by_operator(
    authorized_metrics(
        METRICS_SERVICE,
        KUEUE_NAMESPACE,
        {"app.kubernetes.io/name": "kueue", "app.kubernetes.io/component": "metrics-service"},
    )
)


def kueue_alerts() -> tuple[Alert, ...]:
    return read_alerts(__package__, namespace=KUEUE_NAMESPACE, service=METRICS_SERVICE)


def rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on, where it is scraped."""
    group = RuleGroup("kueue", KUEUE_NAMESPACE, kueue_alerts())
    return (group,) if platform.monitoring.has_operator else ()
