"""Workloads of every kind that culling knows, and others, in a cluster without kubelets."""

from collections.abc import Mapping
from typing import Any

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient

CULLED, KEPT = "research-notebooks", "research-serving"
PROTECTED = "protected"
"""A pod whose budget allows no disruption."""
HALF = "half"
"""A Deployment of which one pod works."""
UNKNOWN = "unknown"
"""A pod that something else controls."""

_LABEL = "app"
_LWS = "leaderworkerset.x-k8s.io/v1"


def workloads(node: str) -> list[Document]:
    """Return the workloads that need no other to be there before."""
    return [
        _object("v1", "Pod", "bare", _pod(node)),
        _object("v1", "Pod", PROTECTED, _pod(node), labels={_LABEL: PROTECTED}),
        _object("v1", "Pod", "kept", _pod(node), namespace=KEPT),
        _object("batch/v1", "Job", "job", {"template": {"spec": _pod(node)}}),
        _scaled("Deployment", "deployment", node),
        _scaled("Deployment", HALF, node, replicas=2),
        _scaled("ReplicaSet", "replicaset", node),
        _scaled("StatefulSet", "statefulset", node),
        budget(),
    ]


def budget() -> Document:
    """Return the budget of the protected pod."""
    spec = {"minAvailable": 1, "selector": {"matchLabels": {_LABEL: PROTECTED}}}
    return _object("policy/v1", "PodDisruptionBudget", PROTECTED, spec)


def leader_worker_set() -> Document:
    """Return a LeaderWorkerSet; its own controller is not there."""
    template = {"spec": {"containers": [_container()]}}
    spec = {"replicas": 1, "leaderWorkerTemplate": {"size": 2, "workerTemplate": template}}
    return _object(_LWS, "LeaderWorkerSet", "lws", spec)


def create_group(client: ApiClient, node: str) -> None:
    """Create a LeaderWorkerSet and what its controller makes for it: a leader and a worker."""
    group = client.create(leader_worker_set()).document
    leaders = client.create(_owned(_scaled("StatefulSet", "lws", node), group)).document
    leader = client.wait_for(_object("v1", "Pod", f"{leaders['metadata']['name']}-0", {}))
    client.create(_owned(_scaled("StatefulSet", "lws-0", node), leader))


def create_unknown(client: ApiClient, node: str) -> None:
    """Create a pod that an object of a kind controls which culling does not know."""
    owner = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": UNKNOWN, "namespace": CULLED},
    }
    created = client.create(owner).document
    client.create(_owned(_object("v1", "Pod", UNKNOWN, _pod(node)), created))


def report_running(client: ApiClient, name: str) -> None:
    """Report a pod as ready, in the place of its kubelet."""
    pod = client.wait_for(_object("v1", "Pod", name, {}), lambda found: "nodeName" in found["spec"])
    ready = {"type": "Ready", "status": "True"}
    client.replace_status({**pod, "status": {"phase": "Running", "conditions": [ready]}})


def pods(client: ApiClient) -> dict[str, Document]:
    """Return the pods of both namespaces by their names."""
    found = (pod for namespace in (CULLED, KEPT) for pod in client.find("v1", "Pod", namespace))
    return {pod["metadata"]["name"]: pod for pod in found}


def ending(client: ApiClient) -> set[str]:
    """Return the names of pods that are there and about to end."""
    return {name for name, pod in pods(client).items() if "deletionTimestamp" in pod["metadata"]}


def _owned(document: Document, owner: Mapping[str, Any]) -> Document:
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
    }
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [reference]}}


def _scaled(kind: str, name: str, node: str, replicas: int = 1) -> Document:
    labels = {_LABEL: name}
    spec = {
        "replicas": replicas,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": _pod(node, restart="Always")},
    }
    if kind == "StatefulSet":
        spec["serviceName"] = name
    return _object("apps/v1", kind, name, spec)


def _pod(node: str, restart: str = "Never") -> dict[str, Any]:
    return {"nodeName": node, "restartPolicy": restart, "containers": [_container()]}


def _container() -> dict[str, str]:
    return {"name": "main", "image": "registry.example.com/team/notebook:1.0.0"}


def _object(
    api_version: str,
    kind: str,
    name: str,
    spec: Mapping[str, Any],
    *,
    namespace: str = CULLED,
    labels: Mapping[str, str] | None = None,
) -> Document:
    metadata = {"name": name, "namespace": namespace, "labels": dict(labels or {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": dict(spec)}
