"""How Prometheus watches Kueue."""

from charts_py.components.kueue.alerts import ALERTS, METRICS_SERVICE
from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.platform.platform import Platform
from charts_py.platform.prerequisite import Prerequisite
from charts_py.platform.rule_group import RuleGroup
from charts_py.platform.scrape_target import ScrapeTarget

RULE_GROUP = RuleGroup("kueue", KUEUE_NAMESPACE, ALERTS)

_TARGET = ScrapeTarget(
    METRICS_SERVICE,
    KUEUE_NAMESPACE,
    {"app.kubernetes.io/name": "kueue", "app.kubernetes.io/component": "metrics-service"},
    port="https",
    # It makes its certificate itself, of no authority.
    tls={"insecureSkipVerify": True},
    is_authorized=True,
)

MAY_READ_METRICS = Prerequisite(
    name="A Prometheus whose service account may `get` the URL `/metrics`, as the charts of the "
    "Prometheus operator have it, or is bound to the ClusterRole `kueue-metrics-reader`",
    needed="for the alerts on Kueue and its queues; Google's managed collection has no such token",
    without="Kueue answers Prometheus with 401 or 403, and `GpuplaneKueueDown` fires",
)


def scraped(platform: Platform) -> tuple[ScrapeTarget, ...]:
    """Return its metrics, which it shows to nobody without a token."""
    return (_TARGET,) if platform.monitoring.has_operator else ()


def rules(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on, where it is scraped."""
    return (RULE_GROUP,) if platform.monitoring.has_operator else ()
