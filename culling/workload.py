"""What holds GPUs and has not used them: the pods of an owner are idle together or not at all."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from culling.owner import Owner, Owners
from culling.settings import Queries
from rounds.servers import ApiServer, Document, Prometheus, PrometheusError, Row, object_path

PodName: TypeAlias = tuple[str, str]
_ROUNDING = 0.001
"""More than sums of sevenths are apart, and less than any share of a GPU."""
_DONE = ("Succeeded", "Failed")


@dataclass(frozen=True, slots=True)
class PodUse:
    """What a pod holds of GPUs, and uses of them."""

    held: float
    """GPUs; a MIG instance is its part of one."""
    idle: float
    """GPUs of these that were not used for longer than their pool allows."""
    last_used: dt.datetime | None
    """When one of the idle ones was last used; None where none is idle."""

    @property
    def is_idle(self) -> bool:
        """Whether all that it holds is known to be idle."""
        return self.last_used is not None and self.idle >= self.held - _ROUNDING


@dataclass(frozen=True, slots=True)
class GpuUse:
    """What pods hold of GPUs, and use of them."""

    capacity: float
    """GPUs of the cluster."""
    pods: Mapping[PodName, PodUse]


def gpu_use(prometheus: Prometheus, queries: Queries) -> GpuUse:
    """Return what Prometheus answers; raise PrometheusError."""
    idle = _by_pod(prometheus.rows(queries.idle_gpus))
    minutes = _by_pod(prometheus.rows(queries.idle_minutes))
    held = _by_pod(prometheus.rows(queries.held_gpus))
    pods = {name: _pod_use(row, idle.get(name), minutes.get(name)) for name, row in held.items()}
    capacity = prometheus.rows(queries.capacity)
    if len(capacity) != 1:
        raise PrometheusError("Prometheus does not know how many GPUs the cluster has")
    return GpuUse(capacity[0].value, pods)


def _by_pod(rows: tuple[Row, ...]) -> dict[PodName, Row]:
    named = (row for row in rows if "namespace" in row.labels and "pod" in row.labels)
    return {(row.labels["namespace"], row.labels["pod"]): row for row in named}


def _pod_use(held: Row, idle: Row | None, minutes: Row | None) -> PodUse:
    if idle is None or minutes is None:
        return PodUse(held.value, 0, None)
    last_used = dt.datetime.fromtimestamp(minutes.seconds - minutes.value * 60, dt.UTC)
    return PodUse(held.value, idle.value, last_used)


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod that is there to stay, for all that is known."""

    name: str
    uid: str
    created: dt.datetime
    is_bound: bool
    use: PodUse | None

    @property
    def is_idle(self) -> bool:
        return self.use is not None and self.use.is_idle


@dataclass(frozen=True, slots=True)
class Workload:
    """The pods of one owner, some of which are idle."""

    owner: Owner
    pods: tuple[Pod, ...]

    @property
    def gpus(self) -> float:
        return sum(pod.use.held for pod in self.pods if pod.use)

    @property
    def last_used(self) -> dt.datetime:
        """When a pod of it that is idle now last used a GPU."""
        return max(pod.use.last_used for pod in self.pods if pod.use and pod.use.last_used)

    @property
    def reason_to_stay(self) -> str | None:
        """Why it is in use although a pod of it is idle; None where it is idle."""
        for pod in self.pods:
            if pod.created > self.last_used:
                return f"pod {pod.name} is younger than the last use of a GPU"
            if not pod.is_bound:
                return f"pod {pod.name} waits for a node"
            if pod.use and not pod.use.is_idle:
                return f"pod {pod.name} uses a GPU, or it is not known that it does not"
        return None


def workloads(server: ApiServer, use: GpuUse, namespaces: Iterable[str]) -> Iterator[Workload]:
    """Yield the workloads of namespaces that have a pod which is idle; raise ApiServerError."""
    with_idle = {namespace for (namespace, _), pod in use.pods.items() if pod.is_idle}
    for namespace in namespaces:
        if namespace in with_idle:
            yield from _of_namespace(server, use, namespace)


def _of_namespace(server: ApiServer, use: GpuUse, namespace: str) -> Iterator[Workload]:
    owners, pods = Owners(server), dict[Owner, list[Pod]]()
    for document in server.items(object_path("v1", "pods", namespace)):
        if _stays(document):
            name = document["metadata"]["name"]
            pod = _pod(document, use.pods.get((namespace, name)))
            pods.setdefault(owners.of(document), []).append(pod)
    for owner, found in sorted(pods.items()):
        if any(pod.is_idle for pod in found):
            yield Workload(owner, tuple(found))


def _stays(document: Document) -> bool:
    is_ending = "deletionTimestamp" in document["metadata"]
    return not is_ending and document.get("status", {}).get("phase") not in _DONE


def _pod(document: Document, use: PodUse | None) -> Pod:
    metadata = document["metadata"]
    return Pod(
        metadata["name"],
        metadata["uid"],
        dt.datetime.fromisoformat(metadata["creationTimestamp"]),
        "nodeName" in document["spec"],
        use,
    )
