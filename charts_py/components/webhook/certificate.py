"""The admission webhook's serving certificate, and the authority of the clients that it answers.

The certificate is given, or issued by cert-manager:
https://cert-manager.io/docs/configuration/selfsigned/#bootstrapping-ca-issuers
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.policies import GivenCertificate, WebhookApiServer
from charts_py.components.object_table import read_objects
from charts_py.components.webhook.server import HOST, NAME, NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

CLIENTS_CONFIG_MAP = f"{NAME}-clients"
"""ConfigMap with the authority of the API server's client certificate."""
_CLIENTS = "/etc/gpuplane/clients"
_VOLUME = "clients"
_ISSUED_SECRET = f"{NAME}-tls"
"""Secret that cert-manager writes certificate and key into."""
_GIVEN_AUTHORITY = f"{NAME}-authority"
"""ConfigMap with the certificates of a given authority."""
_CA_KEY = "ca.crt"
"""Where a Secret or ConfigMap holds the certificates of an authority."""
_AUTHORITY = f"{NAME}-ca"
_ROOT = f"{NAME}-selfsigned"


@dataclass(frozen=True, slots=True)
class ServingCertificate:
    """Where a certificate and those of its authority stand, and the objects that put them there."""

    secret: str
    """Secret of type `kubernetes.io/tls`, with certificate and key."""
    authority: dict[str, Any]
    """Where the certificates of its authority stand, as `SecretOrConfigMap` of the Prometheus
    operator."""
    objects: tuple[Document, ...]


def serving_certificate(given: GivenCertificate | None) -> ServingCertificate:
    return _issued() if given is None else _given(given)


def _given(certificate: GivenCertificate) -> ServingCertificate:
    metadata = ObjectMeta(_GIVEN_AUTHORITY, NAMESPACE)
    authority = object_of("v1", "ConfigMap", metadata, {"data": {_CA_KEY: certificate.ca_bundle}})
    source = {"configMap": {"name": _GIVEN_AUTHORITY, "key": _CA_KEY}}
    return ServingCertificate(certificate.secret_name, source, (authority,))


def _issued() -> ServingCertificate:
    """Return an authority of the webhook's own, and the certificate that it signs.

    The authority keeps its key when it is renewed, so that what it signed before stays valid.
    """
    objects = read_objects(
        __package__,
        "certificate",
        name=NAME,
        namespace=NAMESPACE,
        authority=_AUTHORITY,
        root=_ROOT,
        secret=_ISSUED_SECRET,
        host=HOST,
    )
    source = {"secret": {"name": _ISSUED_SECRET, "key": _CA_KEY}}
    return ServingCertificate(_ISSUED_SECRET, source, tuple(objects))


def clients_config_map(api_server: WebhookApiServer) -> Iterator[Document]:
    """Yield the ConfigMap that the server reads, and reads again when it changes."""
    if api_server.client_ca:
        metadata = ObjectMeta(CLIENTS_CONFIG_MAP, NAMESPACE)
        yield object_of("v1", "ConfigMap", metadata, {"data": {_CA_KEY: api_server.client_ca}})


def client_arguments(api_server: WebhookApiServer) -> list[str]:
    if not api_server.client_ca:
        return []
    names = [f"--client-name={name}" for name in api_server.client_names]
    return [f"--client-ca={_CLIENTS}/{_CA_KEY}", *names]


def clients_mount(api_server: WebhookApiServer) -> dict[str, Any] | None:
    mount = {"name": _VOLUME, "mountPath": _CLIENTS, "readOnly": True}
    return mount if api_server.client_ca else None


def clients_volume(api_server: WebhookApiServer) -> dict[str, Any] | None:
    volume = {"name": _VOLUME, "configMap": {"name": CLIENTS_CONFIG_MAP}}
    return volume if api_server.client_ca else None
