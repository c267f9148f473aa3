"""Objects of a release, in a cluster for as long as a test needs them."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from tests.e2e.control_plane.api_client import ApiClient, why_not
from tests.e2e.control_plane.namespaces import wait_for_namespace
from tests.e2e.control_plane.read_policies import wait_until_policies_are_read
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import install_unserved

PATIENCE_SECONDS = 300.0
_RUNNING = (
    ("apps/v1", "Deployment"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "StatefulSet"),
    ("batch/v1", "Job"),
    ("v1", "Pod"),
)
_CHUNK = "500"
"""How many objects one request deletes; a busy machine takes seconds for so many."""
_AT_ONCE = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}
"""A pod that is bound to a node waits for its kubelet otherwise."""


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

    Kinds that are not served are installed first, and stay. Pods can be created when it yields:
    their service accounts are there, quotas are counted, and the API server knows the priority
    classes. It judges by no policy of these any more in the end.
    """
    ordered = sorted(objects, key=lambda each: each["kind"] != "Namespace")
    namespaces: list[Document] = []
    with ExitStack() as stack:
        stack.callback(_remove, client, namespaces)
        stack.callback(wait_until_policies_are_read, client, ordered)
        install_unserved(client, ordered)
        for each in ordered:
            client.apply(each)
            if each["kind"] == "Namespace":
                namespaces.append(each)
                wait_for_namespace(client, each["metadata"]["name"])
            elif "namespace" not in each["metadata"]:
                stack.callback(client.delete, each)
        for each in ordered:
            if each["kind"] == "ResourceQuota":
                client.wait_for(each, lambda quota: "hard" in quota["status"], PATIENCE_SECONDS)
            elif each["kind"] == "PriorityClass":
                _wait_until_known(client, each["metadata"]["name"])
        yield


def namespace(name: str) -> Document:
    """Return a namespace that belongs to no team."""
    return manifest("v1 Namespace", name)


def _remove(client: ApiClient, namespaces: Iterable[Document]) -> None:
    """Delete namespaces with all that is in them, and wait until they are no more."""
    names = {each["metadata"]["name"] for each in namespaces}
    for name in names:
        empty(client, name)
    for each in namespaces:
        client.delete(each)

    def left() -> set[str]:
        # Who learns late that its workload is gone may have made one more pod meanwhile.
        for name in names:
            client.request("DELETE", client.path("v1", "Pod", name), _AT_ONCE, limit=_CHUNK)
        return names.intersection(e["metadata"]["name"] for e in client.find("v1", "Namespace"))

    once_seen(left, lambda found: not found, "these namespaces are gone")


def _wait_until_known(client: ApiClient, priority_class: str) -> None:
    """Try to create a pod until the API server, which reads of priority classes late, takes it."""
    container = {"name": "main", "image": "registry.example.com/probe:1.0.0"}
    spec = {"containers": [container], "priorityClassName": priority_class}
    pod = manifest("v1 Pod", "probe", "default", spec=spec)
    once_seen(lambda: why_not(client.create, pod, dryRun="All"), lambda why: not why)


def empty(client: ApiClient, name: str) -> None:
    """Delete workloads and pods of a namespace; raise TimeoutError when some remain."""

    def left() -> list[str]:
        for kind in _RUNNING:
            client.request("DELETE", client.path(*kind, name), _AT_ONCE, limit=_CHUNK)
        return [e["metadata"]["name"] for kind in _RUNNING for e in client.find(*kind, name)]

    once_seen(left, lambda found: not found, f"{name} is empty")
