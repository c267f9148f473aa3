"""Whom the admission webhook's server answers, where it knows the API server's certificate."""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.webhook import WebhookApiServer
from charts_py.components.webhook.server import NAME, NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

CLIENTS_CONFIG_MAP = f"{NAME}-clients"
"""ConfigMap with the authority of the API server's client certificate."""
_KEY = "ca.crt"
_CLIENTS = "/etc/gpuplane/clients"
_VOLUME = "clients"


def clients_config_map(api_server: WebhookApiServer) -> Iterator[Document]:
    """Yield the ConfigMap that the server reads, and reads again when it changes."""
    if api_server.client_ca:
        metadata = ObjectMeta(CLIENTS_CONFIG_MAP, NAMESPACE)
        yield object_of("v1", "ConfigMap", metadata, {"data": {_KEY: api_server.client_ca}})


def client_arguments(api_server: WebhookApiServer) -> list[str]:
    """Return the arguments by which the server knows its clients."""
    if not api_server.client_ca:
        return []
    names = [f"--client-name={name}" for name in api_server.client_names]
    return [f"--client-ca={_CLIENTS}/{_KEY}", *names]


def client_mounts(api_server: WebhookApiServer) -> list[dict[str, Any]]:
    """Return where its container finds the authority."""
    if not api_server.client_ca:
        return []
    return [{"name": _VOLUME, "mountPath": _CLIENTS, "readOnly": True}]


def client_volumes(api_server: WebhookApiServer) -> list[dict[str, Any]]:
    """Return where its pod takes the authority from."""
    if not api_server.client_ca:
        return []
    return [{"name": _VOLUME, "configMap": {"name": CLIENTS_CONFIG_MAP}}]
