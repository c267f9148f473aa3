"""The admission webhook's serving certificate, issued by cert-manager.

https://cert-manager.io/docs/configuration/selfsigned/#bootstrapping-ca-issuers
"""

from typing import Any

from constructs import Construct

from charts_py.components.webhook.server import HOST, NAME, NAMESPACE
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta

CERTIFICATE_SECRET = f"{NAME}-tls"
"""Secret that cert-manager writes certificate and key into."""

_API_VERSION = "cert-manager.io/v1"
_AUTHORITY = f"{NAME}-ca"
_ROOT = f"{NAME}-selfsigned"
_KEY = {"algorithm": "ECDSA", "size": 256}

_DAY = 24
"""Hours; a duration has no larger unit."""
_AUTHORITY_DAYS = 3650
_DAYS = 90
_RENEWED_BEFORE_DAYS = 30


class WebhookCertificate(Construct):
    """An authority of the webhook's own, and the certificate that it signs.

    The authority keeps its key when it is renewed, so that what it signed before stays valid.
    """

    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        self._add("Issuer", _ROOT, {"selfSigned": {}})
        self._add("Certificate", _AUTHORITY, _authority())
        self._add("Issuer", NAME, {"ca": {"secretName": _AUTHORITY}})
        self._add("Certificate", NAME, _serving())

    def _add(self, kind: str, name: str, spec: dict[str, Any]) -> None:
        add_object(self, _API_VERSION, kind, ObjectMeta(name, NAMESPACE), {"spec": spec})


def _authority() -> dict[str, Any]:
    return {
        "isCA": True,
        "commonName": _AUTHORITY,
        "secretName": _AUTHORITY,
        "duration": f"{_AUTHORITY_DAYS * _DAY}h",
        "privateKey": {**_KEY, "rotationPolicy": "Never"},
        "issuerRef": _issuer(_ROOT),
    }


def _serving() -> dict[str, Any]:
    return {
        "dnsNames": [HOST],
        "secretName": CERTIFICATE_SECRET,
        "duration": f"{_DAYS * _DAY}h",
        "renewBefore": f"{_RENEWED_BEFORE_DAYS * _DAY}h",
        "privateKey": {**_KEY, "rotationPolicy": "Always"},
        "usages": ["digital signature", "server auth"],
        "issuerRef": _issuer(NAME),
    }


def _issuer(name: str) -> dict[str, str]:
    return {"group": "cert-manager.io", "kind": "Issuer", "name": name}
