"""Nodes that are in the cluster for as long as a test needs them."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.scheduling.gpu_nodes import join, leave

PATIENCE_SECONDS = 120.0


@contextmanager
def joined(client: ApiClient, *nodes: Document) -> Iterator[None]:
    """Register nodes; in the end they leave, and Kubernetes deletes their pods.

    Yields once the scheduler places pods on each: it reads of nodes late, and what it decides
    before is about those that it knows.
    """
    try:
        join(client, *nodes)
        _wait_until_known(client, nodes)
        yield
    finally:
        leave(client, *nodes)


def _wait_until_known(client: ApiClient, nodes: Iterable[Document]) -> None:
    """Place a pod on each node, and take it away again."""
    pods = [_pod_for(node) for node in nodes]
    with ExitStack() as stack:
        for pod in pods:
            client.create(pod)
            stack.callback(client.delete, pod)
        for pod in pods:
            client.wait_for(pod, lambda found: "nodeName" in found["spec"], PATIENCE_SECONDS)


def _pod_for(node: Document) -> Document:
    """Return a pod that only fits a node, and that asks for nothing of it."""
    name = node["metadata"]["name"]
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [name]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    taints = node.get("spec", {}).get("taints", ())
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"for-{name}", "namespace": "default"},
        "spec": {
            "containers": [{"name": "main", "image": "registry.example.com/probe:1.0.0"}],
            "affinity": {"nodeAffinity": required},
            "tolerations": [{"key": taint["key"], "operator": "Exists"} for taint in taints],
        },
    }
