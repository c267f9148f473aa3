"""How Prometheus watches the admission webhook."""

from collections.abc import Mapping
from typing import Any

from charts_py.components.scrape_target import ScrapeTarget
from charts_py.components.webhook.alerts import ALERTS
from charts_py.components.webhook.server import (
    HOST,
    METADATA,
    METRICS_PATH,
    NAME,
    NAMESPACE,
    PORT_NAME,
    SELECTOR,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of


def scrape_target(authority: Mapping[str, Any]) -> ScrapeTarget:
    """Return its metrics over TLS, by where the certificates of its authority stand."""
    tls = {"ca": authority, "serverName": HOST}
    return ScrapeTarget(NAME, NAMESPACE, SELECTOR, PORT_NAME, METRICS_PATH, tls)


def alert_rule() -> Document:
    """Return a PrometheusRule of the webhook's own alerts."""
    group = {"name": NAME, "rules": [alert.rule() for alert in ALERTS]}
    spec = {"groups": [group]}
    return object_of("monitoring.coreos.com/v1", "PrometheusRule", METADATA, {"spec": spec})
