"""Metadata of a workload and of its pods."""

from collections.abc import Mapping
from types import MappingProxyType

from charts_py.cluster_file.queue_engine import QueueEngine
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpus.platform_names import MODEL, MODEL_SOURCE, MODEL_VERSION


def queued(
    request: Request,
    api_version: str,
    kind: str,
    spec: Tree,
    annotations: Mapping[str, Tree] = MappingProxyType({}),
) -> Tree:
    """Return the object whose pods start together."""
    metadata = _labelled(request, request.name)
    metadata["labels"] |= queue_labels(request, api_version, kind)
    if annotations:
        metadata["annotations"] = dict(annotations)
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


def queue_labels(request: Request, api_version: str, kind: str) -> dict[str, Tree]:
    """Return the label of a job of that kind by which Kueue knows its priority."""
    queues = request.platform.contribution
    gangs, priority = queues.gangs, queues.queue_priority
    is_kueue = request.platform.cluster.queue_engine is QueueEngine.KUEUE
    if gangs is None or priority is None or not is_kueue or not gangs.makes(api_version, kind):
        return {}
    why = "its place in the queue; its namespace's LocalQueue default is implied"
    return {priority.field[-1]: Because(request.priority, why)}


def gang_annotations(
    request: Request, api_version: str, kind: str, pods: int | None = None
) -> dict[str, Tree]:
    """Return the annotations of the Job of a workload of that kind by which its pods are a gang.

    It has as many pods as the workload has nodes, unless `pods` says otherwise.
    """
    gangs = request.platform.contribution.gangs
    pods = request.nodes if pods is None else pods
    if pods == 1 or gangs is None or gangs.min_member is None:
        return {}
    if gangs.makes(api_version, kind):
        return {}
    why = "its pods start all at once: each alone would hold GPUs while others still wait"
    return {gangs.min_member: Because(str(pods), why)}


def pod_metadata(
    request: Request, annotations: Mapping[str, Tree], labels: Mapping[str, str]
) -> Tree:
    scheduler = request.settings.queue_scheduler
    queue = {} if scheduler is None else scheduler.labels_in(request.namespace.name)
    own = ", and its queue its namespace's" if queue else ""
    why = f"by which its cost is the team's{own}"
    metadata: dict[str, Tree] = {"labels": Because({**request.labels, **queue, **labels}, why)}
    if annotated := {**annotations, **_served_version(request)}:
        metadata["annotations"] = annotated
    return metadata


def _served_version(request: Request) -> dict[str, Tree]:
    """Return the annotations by which `gpuplane bump models` finds what it moves."""
    version = request.served.version
    if version is None:
        return {}
    why = "another version is another template, which replaces all pods as a rollout does"
    return {
        MODEL: str(version.reference),
        MODEL_VERSION: Because(version.number, why),
        MODEL_SOURCE: version.source,
    }


def companion(
    request: Request, api_version: str, kind: str, spec: Tree, name: str | None = None
) -> Tree:
    """Return an object beside the workload's own, by default with its name."""
    metadata = _labelled(request, name or request.name)
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


def _labelled(request: Request, name: str) -> dict[str, Tree]:
    return {"name": name, "namespace": request.namespace.name, "labels": dict(request.labels)}
