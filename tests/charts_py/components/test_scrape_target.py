"""What Prometheus scrapes of a component."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.components.scrape_target import ScrapeTarget, service_monitors
from charts_py.spec.addons import Monitoring

if TYPE_CHECKING:
    from collections.abc import Mapping

LABELS = {"app.kubernetes.io/name": "exporter"}
TLS = {"serverName": "exporter.tools.svc"}


@pytest.mark.parametrize(
    ("tls", "endpoint"),
    [
        ({}, {"scheme": "http"}),
        (TLS, {"scheme": "https", "tlsConfig": TLS}),
    ],
)
def test_a_target_is_scraped_by_a_service_monitor_over_tls_or_not(
    tls: Mapping[str, Any], endpoint: Mapping[str, Any]
) -> None:
    target = ScrapeTarget("exporter", "tools", LABELS, "metrics", tls=tls)
    assert service_monitors([target], Monitoring(interval="30s")) == (
        {
            "apiVersion": "monitoring.coreos.com/v1",
            "kind": "ServiceMonitor",
            "metadata": {
                "name": "exporter",
                "namespace": "tools",
                "labels": {"app.kubernetes.io/managed-by": "gpuplane", **LABELS},
            },
            "spec": {
                "selector": {"matchLabels": LABELS},
                "endpoints": [
                    {"port": "metrics", "path": "/metrics", "interval": "30s", **endpoint}
                ],
            },
        },
    )


def test_a_cluster_without_service_monitors_has_none() -> None:
    target = ScrapeTarget("exporter", "tools", LABELS, "metrics")
    assert service_monitors([target], Monitoring.model_validate({"serviceMonitors": False})) == ()
