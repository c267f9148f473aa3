"""Objects of a release, in a cluster for as long as a test needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from charts_py.document import Document
from charts_py.manifest_yaml import from_yaml
from tests.e2e.api_client import ApiClient
from tests.e2e.namespaces import wait_for_namespace
from tests.e2e.polling import polls

PATIENCE_SECONDS = 120.0
_RUNNING = (
    ("apps/v1", "Deployment"),
    ("apps/v1", "ReplicaSet"),
    ("batch/v1", "Job"),
    ("v1", "Pod"),
)


def read_release(release: Path, *components: str) -> list[Document]:
    """Return the objects of components of a release, as of `dist/training/1.0.0`."""
    return [
        document
        for component in components
        for file in sorted((release / component).glob("*.yaml"))
        for document in from_yaml(file.read_text())
    ]


@contextmanager
def applied(client: ApiClient, objects: Iterable[Document]) -> Iterator[None]:
    """Apply objects, namespaces first; in the end they are gone, and all that is in the namespaces.

    Pods can be created when it yields: their service accounts are there, and quotas are counted.
    """
    ordered = sorted(objects, key=lambda each: each["kind"] != "Namespace")
    with ExitStack() as stack:
        for each in ordered:
            client.apply(each)
            if each["kind"] == "Namespace":
                stack.callback(_remove, client, each)
                wait_for_namespace(client, each["metadata"]["name"])
            elif "namespace" not in each["metadata"]:
                stack.callback(client.delete, each)
        for each in ordered:
            if each["kind"] == "ResourceQuota":
                client.wait_for(each, lambda quota: "hard" in quota["status"], PATIENCE_SECONDS)
        yield


def namespace(name: str) -> Document:
    """Return a namespace, for what needs one that is no team's."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def _remove(client: ApiClient, made: Document) -> None:
    """Delete a namespace with all that is in it, and wait until it is no more."""
    empty(client, made["metadata"]["name"])
    client.delete(made)
    client.wait_until_gone(made, PATIENCE_SECONDS)


def empty(client: ApiClient, name: str) -> None:
    """Delete workloads and pods of a namespace; raise TimeoutError when some remain.

    A pod that is bound to a node waits for its kubelet, unless it is deleted at once.
    """
    options = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}
    for _ in polls(PATIENCE_SECONDS):
        for api_version, kind in _RUNNING:
            client.request("DELETE", client.path(api_version, kind, name), options)
        if not any(client.find(*kind, name) for kind in _RUNNING):
            return
    raise TimeoutError(f"pods remain in {name} after {PATIENCE_SECONDS} s")
