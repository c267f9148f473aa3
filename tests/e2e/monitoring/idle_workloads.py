"""Workloads of every kind that culling knows, and others, in a cluster without kubelets."""

from collections.abc import Mapping
from typing import Any

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.manifest import manifest, workload
from tests.e2e.scheduling.placements import has_node, is_ending

CULLED, KEPT = "research-notebooks", "research-serving"
PROTECTED = "protected"
"""A pod whose budget allows no disruption."""
HALF = "half"
"""A Deployment of which one pod works."""
UNKNOWN = "unknown"
"""A pod that something else controls."""


def workloads(node: str) -> list[Document]:
    """Return the workloads that need no other to be there before."""
    return [
        manifest("v1 Pod", "bare", CULLED, spec=_pod(node)),
        manifest("v1 Pod", PROTECTED, CULLED, {"labels": {"app": PROTECTED}}, spec=_pod(node)),
        manifest("v1 Pod", "kept", KEPT, spec=_pod(node)),
        manifest("batch/v1 Job", "job", CULLED, spec={"template": {"spec": _pod(node)}}),
        _scaled("Deployment", "deployment", node),
        _scaled("Deployment", HALF, node, replicas=2),
        _scaled("ReplicaSet", "replicaset", node),
        _scaled("StatefulSet", "statefulset", node, serviceName="statefulset"),
        budget(),
    ]


def budget() -> Document:
    spec = {"minAvailable": 1, "selector": {"matchLabels": {"app": PROTECTED}}}
    return manifest("policy/v1 PodDisruptionBudget", PROTECTED, CULLED, spec=spec)


def leader_worker_set() -> Document:
    """Return a LeaderWorkerSet; its own controller is not there."""
    template = {"spec": {"containers": [_container()]}}
    spec = {"replicas": 1, "leaderWorkerTemplate": {"size": 2, "workerTemplate": template}}
    return manifest("leaderworkerset.x-k8s.io/v1 LeaderWorkerSet", "lws", CULLED, spec=spec)


def create_group(client: ApiClient, node: str) -> None:
    """Create a LeaderWorkerSet and what its controller makes for it: a leader and a worker."""
    group = client.create(leader_worker_set()).document
    client.create(_owned(_scaled("StatefulSet", "lws", node, serviceName="lws"), group))
    leader = client.wait_for(manifest("v1 Pod", "lws-0", CULLED))
    workers = _scaled("StatefulSet", "lws-0", node, serviceName="lws-0")
    client.create(_owned(workers, leader))


def create_unknown(client: ApiClient, node: str) -> None:
    """Create a pod that an object of a kind controls which culling does not know."""
    created = client.create(manifest("v1 ConfigMap", UNKNOWN, CULLED)).document
    client.create(_owned(manifest("v1 Pod", UNKNOWN, CULLED, spec=_pod(node)), created))


def report_running(client: ApiClient, name: str) -> None:
    """Report a pod as ready, in the place of its kubelet."""
    pod = client.wait_for(manifest("v1 Pod", name, CULLED), has_node)
    ready = {"type": "Ready", "status": "True"}
    client.replace_status({**pod, "status": {"phase": "Running", "conditions": [ready]}})


def pods(client: ApiClient) -> dict[str, Document]:
    """Return the pods of both namespaces by their names."""
    found = (pod for namespace in (CULLED, KEPT) for pod in client.find("v1", "Pod", namespace))
    return {pod["metadata"]["name"]: pod for pod in found}


def ending(client: ApiClient) -> set[str]:
    """Return the names of pods that are there and about to end."""
    return {name for name, pod in pods(client).items() if is_ending(pod)}


def _owned(document: Document, owner: Mapping[str, Any]) -> Document:
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
    }
    return {**document, "metadata": {**document["metadata"], "ownerReferences": [reference]}}


def _scaled(kind: str, name: str, node: str, **spec: object) -> Document:
    pods = _pod(node, restart="Always")
    return workload(f"apps/v1 {kind}", name, CULLED, pods, **{"replicas": 1, **spec})


def _pod(node: str, restart: str = "Never") -> dict[str, Any]:
    return {"nodeName": node, "restartPolicy": restart, "containers": [_container()]}


def _container() -> dict[str, str]:
    return {"name": "main", "image": "registry.example.com/team/notebook:1.0.0"}
