"""How many pods a workload makes of one of its templates, as far as its manifest says so."""

from collections.abc import Iterator, Mapping
from math import prod

from gpuplane.playground.leader_worker_count import leader_worker_count
from gpuplane.playground.ray_count import ray_count
from gpuplane.playground.stated_count import stated_count
from policies.document import Document, Json, elements, members, steps_of, text

_COUNTED = {
    ("", "Pod"),
    *(("apps", kind) for kind in ("Deployment", "ReplicaSet", "StatefulSet")),
    *(("batch", kind) for kind in ("CronJob", "Job")),
    ("jobset.x-k8s.io", "JobSet"),
    *(
        ("kubeflow.org", kind)
        for kind in ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")
    ),
}
"""Kinds whose pods are what `replicas` and `parallelism` above a template multiply to, each of them
1 where it is not stated. Others leave it to an autoscaler, or to what is defined elsewhere."""
_LEADER_WORKERS = {
    ("disaggregatedset.x-k8s.io", "DisaggregatedSet"),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
}
_RAY = "ray.io"
_TRAIN_JOB = ("trainer.kubeflow.org", "TrainJob")


def pod_count(workload: Document, pointer: str) -> int | None:
    """Return how many pods there are of the template that a JSON Pointer leads to.

    Of a job, those that run at once. None where the manifest does not say so, or says what no API
    server takes.
    """
    count = _count(workload, pointer)
    return None if count is None or count < 0 else count


def _count(workload: Document, pointer: str) -> int | None:
    group, slash, _ = text(workload.get("apiVersion")).partition("/")
    kind = (group if slash else "", text(workload.get("kind")))
    above = tuple(_above(workload, pointer))
    if kind in _COUNTED:
        return prod(count for holder in above for count in _counts(holder))
    if kind in _LEADER_WORKERS:
        return leader_worker_count(above, pointer)
    if kind[0] == _RAY:
        return ray_count(above, pointer)
    return _nodes(above[-1]) if kind == _TRAIN_JOB and pointer == "/spec/trainer" else None


def _nodes(spec: Mapping[str, Json]) -> int | None:
    """Return how many nodes a TrainJob states; by default its runtime does."""
    return stated_count(members(spec.get("trainer")), "numNodes", None)


def _above(workload: Document, pointer: str) -> Iterator[Mapping[str, Json]]:
    """Yield the objects on the way to a template, without itself."""
    here: Json = workload
    for name in steps_of(pointer):
        yield members(here)
        here = members(here).get(name) if type(here) is dict else elements(here)[int(name)]


def _counts(holder: Mapping[str, Json]) -> Iterator[int]:
    replicas, parallelism = holder.get("replicas"), holder.get("parallelism")
    if type(replicas) is int:
        yield replicas
    if type(parallelism) is int:
        completions = holder.get("completions")
        yield min(parallelism, completions) if type(completions) is int else parallelism
