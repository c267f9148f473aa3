"""How Prometheus watches the admission webhook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.webhook.alerts import ALERTS
from charts_py.components.webhook.monitoring import WebhookMonitoring, WebhookMonitoringProps

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document


def test_metrics_are_read_over_tls_and_every_alert_is_in_the_rule(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    authority = {"secret": {"name": "gpuplane-webhook-tls", "key": "ca.crt"}}
    props = WebhookMonitoringProps("30s", authority)
    monitor, rule = documents_of(lambda scope: WebhookMonitoring(scope, "monitoring", props))
    assert monitor["spec"] == {
        "selector": {"matchLabels": {"app.kubernetes.io/name": "gpuplane-webhook"}},
        "endpoints": [
            {
                "port": "https",
                "path": "/metrics",
                "scheme": "https",
                "interval": "30s",
                "tlsConfig": {
                    "ca": authority,
                    "serverName": "gpuplane-webhook.gpuplane-system.svc",
                },
            }
        ],
    }
    (group,) = rule["spec"]["groups"]
    assert [each["alert"] for each in group["rules"]] == [alert.name for alert in ALERTS]
