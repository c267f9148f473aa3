"""The admission webhook's serving certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.webhook.certificate import WebhookCertificate

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document


def test_an_authority_of_its_own_signs_the_certificate_for_the_services_name(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    emitted = documents_of(lambda scope: WebhookCertificate(scope, "certificate"))
    assert [(d["kind"], d["metadata"]["name"], d["spec"]) for d in emitted] == [
        ("Issuer", "gpuplane-webhook-selfsigned", {"selfSigned": {}}),
        (
            "Certificate",
            "gpuplane-webhook-ca",
            {
                "isCA": True,
                "commonName": "gpuplane-webhook-ca",
                "secretName": "gpuplane-webhook-ca",
                "duration": "87600h",
                "privateKey": {"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Never"},
                "issuerRef": {
                    "group": "cert-manager.io",
                    "kind": "Issuer",
                    "name": "gpuplane-webhook-selfsigned",
                },
            },
        ),
        ("Issuer", "gpuplane-webhook", {"ca": {"secretName": "gpuplane-webhook-ca"}}),
        (
            "Certificate",
            "gpuplane-webhook",
            {
                "dnsNames": ["gpuplane-webhook.gpuplane-system.svc"],
                "secretName": "gpuplane-webhook-tls",
                "duration": "2160h",
                "renewBefore": "720h",
                "privateKey": {"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Always"},
                "usages": ["digital signature", "server auth"],
                "issuerRef": {
                    "group": "cert-manager.io",
                    "kind": "Issuer",
                    "name": "gpuplane-webhook",
                },
            },
        ),
    ]
    assert {document["metadata"]["namespace"] for document in emitted} == {"gpuplane-system"}
