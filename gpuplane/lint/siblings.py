"""What the other objects of a file say of a workload."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from charts_py.objects.document import Document
from policies.document import Json, members, text
from policies.manifest_admission import objects

_MOST = {
    ("autoscaling", "HorizontalPodAutoscaler"): "maxReplicas",
    ("keda.sh", "ScaledObject"): "maxReplicaCount",
}
"""Where autoscalers state the most replicas: of KEDA, the spec of
https://keda.sh/docs/2.20/reference/scaledobject-spec/."""


class Autoscaler(NamedTuple):
    """An object that changes the replicas of another."""

    kind: str
    name: str
    target: tuple[str, str]
    """Kind and name of the other."""
    most: int
    """The most replicas that it makes."""


class Siblings(NamedTuple):
    """What a file says of the workloads in it."""

    selectors: tuple[Mapping[str, Json], ...] = ()
    """The labels by which each Service selects its pods."""
    autoscalers: tuple[Autoscaler, ...] = ()


ALONE = Siblings()


def siblings(documents: Iterable[Document]) -> Siblings:
    found = [one for document in documents for _, one in objects(document)]
    services = [
        one for one in found if (one.get("apiVersion"), one.get("kind")) == ("v1", "Service")
    ]
    selectors = (members(members(one.get("spec")).get("selector")) for one in services)
    return Siblings(tuple(filter(None, selectors)), tuple(_autoscalers(found)))


def _autoscalers(found: Iterable[Document]) -> Iterator[Autoscaler]:
    for one in found:
        kind, spec = text(one.get("kind")), members(one.get("spec"))
        group, _, _ = text(one.get("apiVersion")).partition("/")
        target = members(spec.get("scaleTargetRef"))
        most = spec.get(_MOST.get((group, kind), ""))
        if type(most) is int:
            of = text(target.get("kind")) or "Deployment", text(target.get("name"))
            yield Autoscaler(kind, text(members(one.get("metadata")).get("name")), of, most)
