"""How Prometheus watches the admission webhook."""

from collections.abc import Mapping
from typing import Any

from charts_py.components.webhook.alerts import ALERTS
from charts_py.components.webhook.server import (
    HOST,
    METRICS_PATH,
    NAME,
    NAMESPACE,
    OPERATIONS_PORT_NAME,
    PORT_NAME,
    SELECTOR,
)
from charts_py.platform.rule_group import RuleGroup
from charts_py.platform.scrape_target import ScrapeTarget

RULE_GROUP = RuleGroup(NAME, NAMESPACE, ALERTS, labels=SELECTOR)
"""Its own errors and latency."""


def scrape_target(authority: Mapping[str, Any], *, is_apart: bool) -> ScrapeTarget:
    """Return its metrics over TLS, by where the certificates of its authority stand.

    Where they have a port apart, that is without TLS.
    """
    if is_apart:
        return ScrapeTarget(NAME, NAMESPACE, SELECTOR, OPERATIONS_PORT_NAME, METRICS_PATH)
    tls = {"ca": authority, "serverName": HOST}
    return ScrapeTarget(NAME, NAMESPACE, SELECTOR, PORT_NAME, METRICS_PATH, tls)
