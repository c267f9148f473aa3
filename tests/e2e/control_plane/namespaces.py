"""Namespaces in which pods can be created."""

from collections.abc import Collection, Mapping

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.manifest import manifest

_OF_KUBERNETES = {"default", "kube-system"}
"""Of those that every cluster has, those that objects are in."""


def make_namespace(
    client: ApiClient, name: str, labels: Mapping[str, str] | None = None
) -> Document:
    """Create a namespace, and return it once pods can be created there."""
    made = client.create(manifest("v1 Namespace", name, metadata={"labels": dict(labels or {})}))
    wait_for_namespace(client, name)
    return made.document


def make_foreign_namespaces(client: ApiClient, objects: Collection[Document]) -> None:
    """Create the namespaces that objects are in and do not bring, as others bring them."""
    used = {each["metadata"].get("namespace", "default") for each in objects}
    brought = {each["metadata"]["name"] for each in objects if each["kind"] == "Namespace"}
    for name in sorted(used - brought - _OF_KUBERNETES):
        make_namespace(client, name)


def wait_for_namespace(client: ApiClient, name: str) -> None:
    """Wait for the service account that its pods run as by default; raise TimeoutError."""
    client.wait_for(manifest("v1 ServiceAccount", "default", name))
