"""Whom the admission webhook's server answers."""

from __future__ import annotations

from charts_py.cluster_file.webhook import WebhookApiServer
from charts_py.components.webhook.clients import clients_config_map


def test_the_authority_of_clients_stands_in_a_config_map() -> None:
    assert list(clients_config_map(WebhookApiServer.model_construct(client_ca="PEM"))) == [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
                "name": "gpuplane-webhook-clients",
                "namespace": "gpuplane-system",
                "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
            },
            "data": {"ca.crt": "PEM"},
        }
    ]


def test_there_is_none_where_everybody_is_let_in() -> None:
    assert list(clients_config_map(WebhookApiServer())) == []
