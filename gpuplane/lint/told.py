"""What an object says of workloads that others have to know."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from charts_py.objects.document import Document
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
CLAIMS = JobKind("resource.k8s.io", "ResourceClaimTemplate")
HOLDING_PODS = (
    *("Deployment", "LeaderWorkerSet", "ReplicaSet", "ReplicationController", "Rollout"),
    *("StatefulSet", JOB.kind),
)


class Told(NamedTuple):
    """What a Service, an autoscaler, a budget, a template of claims, or a workload says."""

    file: str
    namespace: str
    kind: str
    name: str
    labels: Mapping[str, Json]
    """By which a Service selects its pods, or which the pods of a workload have; the selector of a
    budget; the DeviceClasses of claims."""
    target: tuple[str, str]
    """Kind and name of what an autoscaler changes, or of the object itself."""
    replicas: int | None
    """The most that an autoscaler makes, or what a workload states."""


def told(documents: Iterable[Document], file: str, namespace: str | None = None) -> Iterator[Told]:
    """Yield what objects say; `namespace` takes the place of those that they name."""
    for one in (one for document in documents for _, one in objects(document)):
        kind, name, spec = kind_of(one), name_of(one), members(one.get("spec"))
        selects_any = kind != BUDGET or type(spec.get("selector")) is dict
        at = ("selector",) if kind in _SELECTING else ("template", "metadata", "labels")
        if selects_any and (kind in (*MOST, *_SELECTING, CLAIMS) or kind.kind in HOLDING_PODS):
            target = target_of(one) if kind in MOST else (kind.kind, name)
            count = spec.get(MOST.get(kind, "replicas"))
            replicas = count if type(count) is int else None
            place = namespace or namespace_of(one)
            labels = _classes(spec) if kind == CLAIMS else members(value_at(spec, at))
            yield Told(file, place, kind.kind, name, labels, target, replicas)


def _classes(spec: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the DeviceClasses that claims need, also of the API before version 1."""
    requests = map(members, elements(value_at(spec, ("spec", "devices", "requests"))))
    needed = (members(each.get("exactly")) or each for each in requests)
    return dict.fromkeys(filter(None, (text(each.get("deviceClassName")) for each in needed)))


def target_of(one: Document) -> tuple[str, str]:
    of = members(value_at(one, ("spec", "scaleTargetRef")))
    return text(of.get("kind")) or "Deployment", text(of.get("name"))
