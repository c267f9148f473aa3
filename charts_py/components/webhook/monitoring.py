"""How Prometheus watches the admission webhook."""

from dataclasses import dataclass
from typing import Any

from constructs import Construct

from charts_py.components.webhook.alerts import ALERTS
from charts_py.components.webhook.server import (
    HOST,
    METRICS_PATH,
    NAME,
    NAMESPACE,
    PORT_NAME,
    SELECTOR,
)
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta

_API_VERSION = "monitoring.coreos.com/v1"


@dataclass(frozen=True, slots=True)
class WebhookMonitoringProps:
    """How often metrics are read, and how Prometheus knows the server."""

    interval: str
    authority: dict[str, Any]
    """Where the certificates of its authority stand, as `SecretOrConfigMap` of the Prometheus
    operator."""


class WebhookMonitoring(Construct):
    """A ServiceMonitor over TLS, and a PrometheusRule of the webhook's own alerts."""

    def __init__(self, scope: Construct, id: str, props: WebhookMonitoringProps) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(NAME, NAMESPACE, labels=SELECTOR)
        endpoint = {
            "port": PORT_NAME,
            "path": METRICS_PATH,
            "scheme": "https",
            "interval": props.interval,
            "tlsConfig": {"ca": props.authority, "serverName": HOST},
        }
        monitor = {"selector": {"matchLabels": dict(SELECTOR)}, "endpoints": [endpoint]}
        add_object(self, _API_VERSION, "ServiceMonitor", metadata, {"spec": monitor})
        group = {"name": NAME, "rules": [alert.rule() for alert in ALERTS]}
        add_object(self, _API_VERSION, "PrometheusRule", metadata, {"spec": {"groups": [group]}})
