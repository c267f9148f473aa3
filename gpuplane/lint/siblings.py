"""What the other objects of a file, and of the other files of a run, say of a workload."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePath
from typing import NamedTuple, TypeAlias

from charts_py.objects.document import Document
from gpuplane.admission.manifest_file import read_manifests
from gpuplane.admission.policy_scope import selects
from gpuplane.lint.lint_source import LintSource, may_join
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

_MOST = {
    JobKind("autoscaling", "HorizontalPodAutoscaler"): "maxReplicas",
    JobKind("keda.sh", "ScaledObject"): "maxReplicaCount",
}
"""Where autoscalers state the most replicas: of KEDA, the spec of
https://keda.sh/docs/2.20/reference/scaledobject-spec/."""
BUDGET = JobKind("policy", "PodDisruptionBudget")
_SERVICE = JobKind("", "Service")
_SELECTING = (_SERVICE, BUDGET)
_CLAIMS = JobKind("resource.k8s.io", "ResourceClaimTemplate")
_HOLDING_PODS = (
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


class Siblings(NamedTuple):
    """What is told in a namespace."""

    told: tuple[Told, ...] = ()

    @property
    def selectors(self) -> Iterator[Mapping[str, Json]]:
        return (each.labels for each in self.told if each.kind == _SERVICE.kind and each.labels)

    def autoscalers(self, kind: str, name: str) -> Iterator[tuple[Told, int]]:
        """Yield what changes a workload, with the most replicas that it makes."""
        for each in self.told:
            if each.target == (kind, name) != (each.kind, each.name) and each.replicas is not None:
                yield each, each.replicas

    def device_classes(self, claims: str) -> frozenset[str]:
        """Return the DeviceClasses that the claims of a template of that name need."""
        of_name = (_CLAIMS.kind, claims)
        told = (each.labels for each in self.told if (each.kind, each.name) == of_name)
        return frozenset(chain.from_iterable(told))

    def joined(self, one: Document) -> list[Told]:
        """Return the workloads that an object autoscales, or of which it keeps pods."""
        kind, selector = kind_of(one), value_at(one, ("spec", "selector"))
        if kind in _MOST:
            return [each for each in self.told if (each.kind, each.name) == _target(one)]
        if kind != BUDGET or type(selector) is not dict:
            return []
        pods = (each for each in self.told if each.kind in _HOLDING_PODS and each.labels)
        return [each for each in pods if selects(selector, each.labels)]

    def budgets_beside(self, one: Document, kept: Sequence[Told]) -> Iterator[Told]:
        """Yield other budgets, of the same folder, that keep some of the pods which a budget keeps.

        Those of other folders may be for other clusters.
        """
        budgets = [each for each in self.told if each.kind == BUDGET.kind]
        for own in (each for each in budgets if each.name == name_of(one)):
            for each in budgets:
                is_near = PurePath(each.file).parent == PurePath(own.file).parent
                is_shared = any(selects(each.labels, pod.labels) for pod in kept)
                if each is not own and is_near and (is_shared or each.labels == own.labels):
                    yield each

    def most(self, workload: Told) -> int | None:
        """Return the most replicas that a workload has; None where that is not stated."""
        stated = (each.replicas for each in self.told if each.target == workload.target)
        return max(filter(None, stated), default=None)


ALONE = Siblings()
SiblingsIn: TypeAlias = Callable[[str], Siblings]
"""Returns what is told in a namespace, which is empty where none is stated."""


def told(documents: Iterable[Document], file: str, namespace: str | None = None) -> Iterator[Told]:
    """Yield what objects say; `namespace` takes the place of those that they name."""
    for one in (one for document in documents for _, one in objects(document)):
        kind, name, spec = kind_of(one), name_of(one), members(one.get("spec"))
        selects_any = kind != BUDGET or type(spec.get("selector")) is dict
        at = ("selector",) if kind in _SELECTING else ("template", "metadata", "labels")
        if selects_any and (kind in (*_MOST, *_SELECTING, _CLAIMS) or kind.kind in _HOLDING_PODS):
            target = _target(one) if kind in _MOST else (kind.kind, name)
            count = spec.get(_MOST.get(kind, "replicas"))
            replicas = count if type(count) is int else None
            place = namespace or namespace_of(one)
            labels = _classes(spec) if kind == _CLAIMS else members(value_at(spec, at))
            yield Told(file, place, kind.kind, name, labels, target, replicas)


def _classes(spec: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the DeviceClasses that claims need, also of the API before version 1."""
    requests = map(members, elements(value_at(spec, ("spec", "devices", "requests"))))
    needed = (members(each.get("exactly")) or each for each in requests)
    return dict.fromkeys(filter(None, (text(each.get("deviceClassName")) for each in needed)))


def _target(one: Document) -> tuple[str, str]:
    of = members(value_at(one, ("spec", "scaleTargetRef")))
    return text(of.get("kind")) or "Deployment", text(of.get("name"))


def siblings(known: Sequence[Told], file: str, namespace: str) -> Siblings:
    """Return what is told of objects of a file in a namespace.

    Objects of a file that name none are meant for those of the others, or else of the folder. Of
    several objects of a name, as there are in the files of several clusters, the nearest counts.
    """
    folder, nearest = PurePath(file).parent, dict[tuple[str, str], Told]()
    own = [each for each in known if each.file == file and namespace in ("", each.namespace)]
    unsaid = [each for each in known if each.file == file and not each.namespace]
    here = [each for each in known if each.namespace == namespace]
    near = [each for each in here if PurePath(each.file).parent == folder]
    for each in (*own, *unsaid, *near, *(here if namespace else ())):
        nearest.setdefault((each.kind, each.name), each)
    return Siblings(tuple(nearest.values()))


def told_beside(sources: Iterable[LintSource], namespace: str | None) -> tuple[Told, ...]:
    """Return what is told in files that scale workloads or keep pods, and in those with such."""
    whole = [each for each in sources if not each.is_patch]
    joining = {each.shown_as: [*_read(each)] for each in whole if may_join(each)}
    names = {name.encode() for read in joining.values() for name in _named(read)}
    found = chain.from_iterable(
        told(joining.get(each.shown_as) or _read(each), each.shown_as, namespace)
        for each in whole
        if each.shown_as in joining or any(name in each.content for name in names)
    )
    return tuple(each for each in found if each.kind != _SERVICE.kind)


def _read(source: LintSource) -> Iterator[Document]:
    found = read_manifests(source.content, source.shown_as, objects_only=True)
    yield from (one for each in found.objects for _, one in objects(each.document))


def _named(documents: Iterable[Document]) -> Iterator[str]:
    for one in documents:
        labels = members(value_at(one, ("spec", "selector", "matchLabels"))).values()
        yield from filter(None, map(text, (_target(one)[1], *labels)))
