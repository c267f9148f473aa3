"""How Prometheus watches the admission webhook."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from charts_py.cluster_file.admission import Admission
from charts_py.components.webhook.alerts import (
    ALERTS,
    KNOWN_VERDICTS,
    VERDICTS_UNHEEDED,
)
from charts_py.components.webhook.server import (
    HOST,
    METRICS_PATH,
    NAME,
    NAMESPACE,
    OPERATIONS_PORT_NAME,
    PORT_NAME,
    SELECTOR,
)
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.recording_rule import RecordingRule
from charts_py.platform.rule_group import RuleGroup
from charts_py.platform.scrape_target import ScrapeTarget
from policies.in_cel.judged_annotation import judged_by

RULE_GROUP = RuleGroup(NAME, NAMESPACE, ALERTS, labels=SELECTOR)
"""Its own errors and latency."""


def rule_groups(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on; where policies heed its verdicts, also that they do."""
    if platform.cluster.admission is not Admission.BACKSTOP:
        return (RULE_GROUP,)
    known = {"judged_by": judged_by(policy_settings(platform))}
    policies = RecordingRule(KNOWN_VERDICTS, "vector(1)", known)
    return (replace(RULE_GROUP, rules=(policies, *ALERTS, VERDICTS_UNHEEDED)),)


def scrape_target(authority: Mapping[str, Any], *, is_apart: bool) -> ScrapeTarget:
    """Return its metrics over TLS, by where the certificates of its authority stand.

    Where they have a port apart, that is without TLS.
    """
    if is_apart:
        return ScrapeTarget(NAME, NAMESPACE, SELECTOR, OPERATIONS_PORT_NAME, METRICS_PATH)
    tls = {"ca": authority, "serverName": HOST}
    return ScrapeTarget(NAME, NAMESPACE, SELECTOR, PORT_NAME, METRICS_PATH, tls)
