"""How many pods a workload makes of one of its templates, as far as its manifest says so."""

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TypeVar

from policies.document import Document, Json, elements, members, steps_of
from policies.settings import JobKind, kind_of

_Default = TypeVar("_Default", int, None)
_ONE_EACH = ("/headGroupSpec/template", "/submitterPodTemplate")
_COUNTED = {
    "": ("Pod", "ReplicationController"),
    "apps": ("Deployment", "ReplicaSet", "StatefulSet"),
    "apps.kruise.io": ("CloneSet", "StatefulSet"),
    "argoproj.io": ("Rollout",),
    "batch": ("CronJob", "Job"),
    "batch.volcano.sh": ("Job",),
    "jobset.x-k8s.io": ("JobSet",),
    "kubeflow.org": ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob"),
}
"""Kinds whose pods are what `replicas` and `parallelism` above a template multiply to, each of them
1 where it is not stated. Others leave it to an autoscaler, or to what is defined elsewhere."""
_LEADER_WORKERS = (
    JobKind("disaggregatedset.x-k8s.io", "DisaggregatedSet"),
    JobKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet"),
)
_TRAIN_JOB = JobKind("trainer.kubeflow.org", "TrainJob")


def pod_count(workload: Document, pointer: str) -> int | None:
    """Return how many pods there are of the template that a JSON Pointer leads to.

    Of a job, those that run at once. None where the manifest does not say so, or says what no API
    server takes.
    """
    count = _count(workload, pointer)
    return None if count is None or count < 0 else count


def _count(workload: Document, pointer: str) -> int | None:
    kind, above = kind_of(workload), tuple(_above(workload, pointer))
    if kind.kind in _COUNTED.get(kind.group, ()):
        counts = [count for holder in above for count in _counts(holder) if count is not None]
        known = [count for count in counts if type(count) is int]
        return prod(known) if len(known) == len(counts) else None
    if kind in _LEADER_WORKERS:
        return _leader_worker_count(above, pointer)
    if kind.group == "ray.io":
        return _ray_count(above, pointer)
    if kind != _TRAIN_JOB or pointer != "/spec/trainer":
        return None
    # By default its runtime says how many nodes there are.
    return _stated(members(above[-1].get("trainer")), "numNodes", None)


def _above(workload: Document, pointer: str) -> Iterator[Mapping[str, Json]]:
    """Yield the objects on the way to a template, without itself."""
    here: Json = workload
    for name in steps_of(pointer):
        yield members(here)
        here = members(here).get(name) if type(here) is dict else elements(here)[int(name)]


def _counts(holder: Mapping[str, Json]) -> Iterator[Json]:
    parallelism, completions = holder.get("parallelism"), holder.get("completions")
    yield holder.get("replicas")
    yield (
        min(parallelism, completions)
        if type(parallelism) is type(completions) is int
        else parallelism
    )


def _stated(fields: Mapping[str, Json], name: str, default: _Default) -> int | _Default:
    value = fields.get(name)
    return value if type(value) is int else default


def _leader_worker_count(above: Sequence[Mapping[str, Json]], pointer: str) -> int:
    """`above` are the objects on the way to the template, which the pointer leads to."""
    spec, group = above[-2:]
    replicas, size = _stated(spec, "replicas", 1), _stated(group, "size", 1)
    if pointer.endswith("/leaderTemplate"):
        return replicas
    return replicas * (size - 1 if "leaderTemplate" in group else size)


def _ray_count(above: Sequence[Mapping[str, Json]], pointer: str) -> int | None:
    """Return None for a group that an autoscaler grows and shrinks; `above` is likewise."""
    if pointer.endswith(_ONE_EACH):
        return 1
    # The group is an item of a list.
    cluster, _, group = above[-3:]
    if cluster.get("enableInTreeAutoscaling") is True:
        return None
    return _replicas(group) * _stated(group, "numOfHosts", 1)


def _replicas(group: Mapping[str, Json]) -> int:
    if group.get("suspend") is True:
        return 0
    least = _stated(group, "minReplicas", 0)
    most = max(least, _stated(group, "maxReplicas", 2**31 - 1))
    return min(max(_stated(group, "replicas", least), least), most)
