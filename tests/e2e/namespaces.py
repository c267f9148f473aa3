"""Namespaces in which pods can be created."""

from __future__ import annotations

from collections.abc import Mapping

from charts_py.objects.document import Document
from tests.e2e.api_client import ApiClient


def make_namespace(
    client: ApiClient, name: str, labels: Mapping[str, str] | None = None
) -> Document:
    """Create a namespace, and return it once pods can be created there."""
    metadata = {"name": name, "labels": dict(labels or {})}
    made = client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
    wait_for_namespace(client, name)
    return made.document


def wait_for_namespace(client: ApiClient, name: str) -> None:
    """Wait for the service account that its pods run as by default; raise TimeoutError."""
    metadata = {"name": "default", "namespace": name}
    client.wait_for({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata})
