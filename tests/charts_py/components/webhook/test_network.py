"""How the admission webhook's server is reached."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.cluster_file.webhook import WebhookApiServer
from charts_py.components.webhook.network import network_policy, service

PODS = {"app.kubernetes.io/name": "gpuplane-webhook"}
HTTPS = {"name": "https", "port": 443, "targetPort": "https", "protocol": "TCP"}
OPERATIONS = {"name": "operations", "port": 8081, "targetPort": "operations", "protocol": "TCP"}
UNKNOWN = WebhookApiServer()
WITH_ADDRESSES = WebhookApiServer(addresses=("192.0.2.0/28", "2001:db8::1/128"))
WITH_CERTIFICATE = WebhookApiServer.model_construct(client_ca="PEM")
REVIEWS = {"port": 10250, "protocol": "TCP"}
FROM_PROMETHEUS = {
    "from": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}],
    "ports": [{"port": 8081, "protocol": "TCP"}],
}


@pytest.mark.parametrize(
    ("api_server", "ports"),
    [
        (UNKNOWN, [HTTPS]),
        (WITH_ADDRESSES, [HTTPS, OPERATIONS]),
        (WITH_CERTIFICATE, [HTTPS, OPERATIONS]),
    ],
)
def test_the_service_is_reached_at_the_port_of_https_and_at_that_of_metrics_where_it_is_apart(
    api_server: WebhookApiServer, ports: list[dict[str, Any]]
) -> None:
    assert service(api_server)["spec"] == {"selector": PODS, "ports": ports}


@pytest.mark.parametrize(
    ("api_server", "ingress"),
    [
        (UNKNOWN, [{"ports": [REVIEWS]}]),
        (WITH_CERTIFICATE, [{"ports": [REVIEWS]}, FROM_PROMETHEUS]),
        (
            WITH_ADDRESSES,
            [
                {
                    "from": [
                        {"ipBlock": {"cidr": "192.0.2.0/28"}},
                        {"ipBlock": {"cidr": "2001:db8::1/128"}},
                    ],
                    "ports": [REVIEWS],
                },
                FROM_PROMETHEUS,
            ],
        ),
    ],
)
def test_the_port_of_reviews_is_open_to_the_api_server_where_it_is_known_and_nothing_leads_out(
    api_server: WebhookApiServer, ingress: list[dict[str, Any]]
) -> None:
    assert network_policy(api_server, ("monitoring",))["spec"] == {
        "podSelector": {"matchLabels": PODS},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": ingress,
    }
