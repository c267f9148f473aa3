"""What an object says of workloads that others have to know."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from charts_py.objects.document import Document
from gpuplane.lint.told_pods import answering, told_pods
from policies.document import (
    Json,
    elements,
    members,
    name_of,
    namespace_of,
    objects,
    text,
    value_at,
)
from policies.settings import JobKind, kind_of
from policies.workloads.pod_replacement import JOB

MOST = {
    JobKind("autoscaling", "HorizontalPodAutoscaler"): "maxReplicas",
    JobKind("keda.sh", "ScaledObject"): "maxReplicaCount",
}
"""Where autoscalers state the most replicas: of KEDA, the spec of
https://keda.sh/docs/2.20/reference/scaledobject-spec/."""
BUDGET = JobKind("policy", "PodDisruptionBudget")
SERVICE = JobKind("", "Service")
_SELECTING = (SERVICE, BUDGET)
POOL = JobKind("inference.networking.k8s.io", "InferencePool")
GATEWAY = JobKind("gateway.networking.k8s.io", "Gateway")
MONITOR = JobKind("monitoring.coreos.com", "PodMonitor")
"""Prometheus names its job after it, `NAMESPACE/NAME`, unless it says otherwise."""
_NAMED = (GATEWAY, MONITOR, POOL)
"""Kinds of which others state the name."""
CLAIMS = JobKind("resource.k8s.io", "ResourceClaimTemplate")
LEADER_WORKER_SET = JobKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet")
HOLDING_PODS = (
    *("Deployment", LEADER_WORKER_SET.kind, "ReplicaSet", "ReplicationController", "Rollout"),
    *("StatefulSet", JOB.kind),
)
IN_FOLDER = (*HOLDING_PODS, MONITOR.kind, SERVICE.kind, POOL.kind)
"""Kinds that are looked for in the folder of what names them."""


class Told(NamedTuple):
    """What a Service, an autoscaler, a budget, a template of claims, or a workload says."""

    file: str
    namespace: str
    kind: str
    name: str
    labels: Mapping[str, Json]
    """By which a Service selects its pods, or which the pods of a workload have, of a
    LeaderWorkerSet those that answer; the selector of a budget; the DeviceClasses of claims; `job`
    of a PodMonitor that names it otherwise."""
    target: tuple[str, str]
    """Kind and name of what an autoscaler changes, or of the object itself."""
    replicas: int | None
    """The most that an autoscaler makes, or what a workload states."""
    ports: tuple[int, ...] = ()
    """Those of a Service, or at which the pods of a workload say to answer."""
    is_computing: bool = False
    """Whether the pods of a workload ask for GPUs, or for other devices."""
    port_names: tuple[str, ...] = ()
    """Of the ports that the pods of a workload declare."""


def told(documents: Iterable[Document], file: str, namespace: str | None = None) -> Iterator[Told]:
    """Yield what objects say; `namespace` takes the place of those that they name."""
    for one in (one for document in documents for _, one in objects(document)):
        kind, name, spec = kind_of(one), name_of(one), members(one.get("spec"))
        selects_any = kind != BUDGET or type(spec.get("selector")) is dict
        others = (*MOST, *_SELECTING, *_NAMED, CLAIMS)
        if selects_any and (kind in others or kind.kind in HOLDING_PODS):
            target = target_of(one) if kind in MOST else (kind.kind, name)
            count = spec.get(MOST.get(kind, "replicas"))
            replicas = count if type(count) is int else None
            place = namespace or namespace_of(one)
            pods = told_pods(spec) if kind.kind in HOLDING_PODS else (_ports(spec), False, ())
            yield Told(file, place, kind.kind, name, _labels(kind, spec), target, replicas, *pods)


def _labels(kind: JobKind, spec: Mapping[str, Json]) -> Mapping[str, Json]:
    if kind in _OWN:
        return _OWN[kind](spec)
    if kind in _SELECTING:
        return members(spec.get("selector"))
    return members(value_at(answering(spec), ("metadata", "labels")))


def _classes(spec: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the DeviceClasses that claims need, also of the API before version 1."""
    requests = map(members, elements(value_at(spec, ("spec", "devices", "requests"))))
    needed = (members(each.get("exactly")) or each for each in requests)
    return dict.fromkeys(filter(None, (text(each.get("deviceClassName")) for each in needed)))


def _own_job(spec: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the label `job` where a PodMonitor gives its metrics one."""
    endpoints = map(members, elements(spec.get("podMetricsEndpoints")))
    changes = (each for one in endpoints for each in elements(one.get("relabelings")))
    is_own = "jobLabel" in spec or any(
        members(each).get("targetLabel") == "job" for each in changes
    )
    return {"job": None} if is_own else {}


def _ports(spec: Mapping[str, Json]) -> tuple[int, ...]:
    ports = (members(each).get("port") for each in elements(spec.get("ports")))
    return tuple(port for port in ports if type(port) is int)


_OWN: Mapping[JobKind, Callable[[Mapping[str, Json]], Mapping[str, Json]]] = {
    CLAIMS: _classes,
    MONITOR: _own_job,
}
"""What stands in the place of labels, where that is something else."""


def target_of(one: Document) -> tuple[str, str]:
    of = members(value_at(one, ("spec", "scaleTargetRef")))
    return text(of.get("kind")) or "Deployment", text(of.get("name"))
