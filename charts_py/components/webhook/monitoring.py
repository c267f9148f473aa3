"""How Prometheus watches the admission webhook."""

from collections.abc import Mapping
from typing import Any

from charts_py.cluster_file.admission import Admission
from charts_py.components.alert_tables import read_alerts
from charts_py.components.webhook.server import (
    HOST,
    METRICS_PATH,
    NAME,
    NAMESPACE,
    OPERATIONS_PORT_NAME,
    PORT_NAME,
    SELECTOR,
    TIMEOUT_SECONDS,
)
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.prometheus_rules import Alert, RecordingRule, Rule, RuleGroup
from policies.in_cel.judged_annotation import judged_by

_EXPIRY_DAYS = 7
"""Less than what is left when cert-manager renews."""
THRESHOLDS: Mapping[str, float] = {
    "fewest_replicas": 2,
    "error_share": 0.01,
    "slow_seconds": TIMEOUT_SECONDS / 4,
    "expiry_seconds": _EXPIRY_DAYS * 86_400,
}
"""Where alerts fire, and what the dashboard draws."""

KNOWN_VERDICTS = "gpuplane_admission_policies_info"
"""The series whose label `judged_by` is the hash that the policies of the API server heed."""
VERDICTS_UNHEEDED = "GpuplaneWebhookVerdictsUnheeded"
"""Only where the API server judges what the webhook does not vouch for."""


def webhook_alerts() -> tuple[Alert, ...]:
    """Return the alerts on its errors and latency, and on whether policies heed its verdicts."""
    return read_alerts(
        __package__,
        namespace=NAMESPACE,
        webhook=NAME,
        timeout_seconds=TIMEOUT_SECONDS,
        expiry_days=_EXPIRY_DAYS,
        known_verdicts=KNOWN_VERDICTS,
        **THRESHOLDS,
    )


def rule_groups(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on; where policies heed its verdicts, also that they do."""
    rules: tuple[Rule, ...] = webhook_alerts()
    if platform.cluster.admission is Admission.BACKSTOP:
        known = {"judged_by": judged_by(policy_settings(platform))}
        rules = (RecordingRule(KNOWN_VERDICTS, "vector(1)", known), *rules)
    else:
        rules = tuple(alert for alert in webhook_alerts() if alert.name != VERDICTS_UNHEEDED)
    return (RuleGroup(NAME, NAMESPACE, rules, labels=SELECTOR),)


def scrape_target(authority: Mapping[str, Any], *, is_apart: bool) -> ScrapeTarget:
    """Return its metrics over TLS, by where the certificates of its authority stand.

    Where they have a port apart, that is without TLS.
    """
    if is_apart:
        return ScrapeTarget(NAME, NAMESPACE, SELECTOR, OPERATIONS_PORT_NAME, METRICS_PATH)
    tls = {"ca": authority, "serverName": HOST}
    return ScrapeTarget(NAME, NAMESPACE, SELECTOR, PORT_NAME, METRICS_PATH, tls)
