"""How an idle workload ends, so that who made it can start it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from culling.api_server import object_path
from culling.owner import Ending

if TYPE_CHECKING:
    import datetime as dt

    from culling.api_server import ApiServer
    from culling.owner import Owner
    from culling.workload import Pod, Workload

REPLICAS_ANNOTATION = "gpuplane.io/replicas-before-idle"
"""Annotation of what was scaled to 0: how many replicas it had."""
STOPPED_ANNOTATION = "kubeflow-resource-stopped"
"""Annotation of a Notebook that is stopped; its value is the time
(https://github.com/kubeflow/kubeflow, components/notebook-controller/pkg/culler/culler.go at
v1.9.2)."""


def end(server: ApiServer, workload: Workload, now: dt.datetime) -> None:
    """End a workload; raise ApiServerError, after which some of its pods may be gone."""
    match workload.owner.ending:
        case Ending.EVICT:
            for pod in workload.pods:
                if pod.is_idle:
                    _evict(server, workload.owner.namespace, pod)
        case Ending.SCALE:
            replicas = str(workload.owner.replicas)
            _change(server, workload.owner, REPLICAS_ANNOTATION, replicas, spec={"replicas": 0})
        case Ending.STOP:
            time = now.strftime("%Y-%m-%dT%H:%M:%SZ")
            _change(server, workload.owner, STOPPED_ANNOTATION, time)


def _evict(server: ApiServer, namespace: str, pod: Pod) -> None:
    """Evict this very pod: https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/."""
    eviction = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": pod.name, "namespace": namespace},
        "deleteOptions": {"preconditions": {"uid": pod.uid}},
    }
    server.create(f"{object_path('v1', 'pods', namespace, pod.name)}/eviction", eviction)


def _change(server: ApiServer, owner: Owner, name: str, value: str, **parts: object) -> None:
    """Annotate what has not changed since it was read, and change parts of it, all at once."""
    metadata = {"resourceVersion": owner.resource_version, "annotations": {name: value}}
    server.patch(owner.path, {"metadata": metadata, **parts})
