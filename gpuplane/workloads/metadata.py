"""Metadata of a workload and of its pods."""

from collections.abc import Mapping
from types import MappingProxyType

from charts_py.cluster_file.queue_engine import QueueEngine
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request


def queued(
    request: Request,
    api_version: str,
    kind: str,
    annotations: Mapping[str, Tree] = MappingProxyType({}),
) -> dict[str, Tree]:
    """Return type and metadata of the object whose pods start together."""
    metadata = {
        **named(request, request.name),
        "labels": {**request.labels, **_queue_priority(request, api_version, kind)},
        **({"annotations": dict(annotations)} if annotations else {}),
    }
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}


def _queue_priority(request: Request, api_version: str, kind: str) -> dict[str, Tree]:
    queues = request.platform.contribution
    gangs, priority = queues.gangs, queues.queue_priority
    is_kueue = request.platform.cluster.queue_engine is QueueEngine.KUEUE
    if gangs is None or priority is None or not is_kueue or not gangs.makes(api_version, kind):
        return {}
    why = "its place in the queue; its namespace's LocalQueue default is implied"
    return {priority.field[-1]: because(request.priority, why)}


def pod_metadata(
    request: Request, annotations: Mapping[str, Tree], labels: Mapping[str, str]
) -> Tree:
    """Return the metadata of a pod template."""
    queue = _queue_labels(request)
    own = ", and its queue its namespace's" if queue else ""
    why = f"by which its cost is the team's{own}"
    metadata: dict[str, Tree] = {"labels": because({**request.labels, **queue, **labels}, why)}
    if annotations:
        metadata["annotations"] = dict(annotations)
    return metadata


def _queue_labels(request: Request) -> Mapping[str, str]:
    scheduler = request.settings.queue_scheduler
    return {} if scheduler is None else scheduler.labels_in(request.namespace.name)


def named(request: Request, name: str) -> dict[str, Tree]:
    """Return the metadata of an object of the workload."""
    return {"name": name, "namespace": request.namespace.name}
