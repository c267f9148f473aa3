"""How the admission webhook's server is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.webhook.network import WebhookNetwork

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document

PODS = {"app.kubernetes.io/name": "gpuplane-webhook"}


def test_one_port_is_open_and_nothing_leads_out(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    service, policy = documents_of(lambda scope: WebhookNetwork(scope, "network"))
    assert service["spec"] == {
        "selector": PODS,
        "ports": [{"name": "https", "port": 443, "targetPort": "https", "protocol": "TCP"}],
    }
    assert policy["spec"] == {
        "podSelector": {"matchLabels": PODS},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"ports": [{"port": 10250, "protocol": "TCP"}]}],
    }
