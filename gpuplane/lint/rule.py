"""Rules on the fields of a workload beside its pods, which admission of pods does not see."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from charts_py.objects.document import Document
from gpuplane.admission.object_policies import NO_POLICIES, ObjectPolicies
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.lint_run import ClusterFacts
from gpuplane.lint.siblings import ALONE, Siblings
from gpuplane.workloads.capacity import Capacity
from gpus.nearest import nearest
from policies.container import Container
from policies.document import Json, elements, field_path, members, shown, text, value_at
from policies.operation import Operation
from policies.pod import Pod
from policies.reach import Offer, holds, usable
from policies.settings import JobKind, NamespaceSettings, PoolSettings, Settings, kind_of
from policies.workloads.pod_template import PodTemplate, pod_templates

_CONTAINERS = ("containers", "initContainers", "ephemeralContainers")


@dataclass(frozen=True, slots=True)
class GpuPod:
    """A template of pods that ask for a GPU."""

    pointer: str
    """JSON Pointer from the workload to it."""
    pod: Pod

    def is_below(self, pointer: str) -> bool:
        return self.pointer.startswith(f"{pointer}/")

    def placed(self, found: "Iterable[RuleFinding]") -> "Iterator[RuleFinding]":
        """Yield findings in the pod as findings in the workload."""
        return (each._replace(pointer=f"{self.pointer}{each.pointer}") for each in found)


def whole_gpus(container: Container) -> int | None:
    """Return the GPUs of a container; None where that is not a number, as with claims."""
    amounts = container.gpus.values()
    whole = [amount for amount in amounts if type(amount) is int]
    known = len(whole) == len(amounts) and not container.has_claims
    return sum(whole) or None if known else None


@dataclass(frozen=True, slots=True)
class LintObject:
    """An object, never a List, with what most rules need of it, read once for all of them."""

    document: Document
    kind: JobKind
    """With its API group."""
    templates: tuple[PodTemplate, ...]
    """Templates of its pods; none where it creates no pods."""
    gpu_pods: tuple[GpuPod, ...]
    """The pods that ask for a GPU of the cluster."""


def by_kind(table: str) -> Mapping[JobKind, Any]:
    """Return a table of `kinds.toml`: where a rule looks in workloads."""
    return _tables()[table]


@cache
def _tables() -> Mapping[str, Mapping[JobKind, Any]]:
    text = (files("gpuplane.lint") / "kinds.toml").read_text(encoding="utf-8")
    return {
        name: {kind_named(each): row for each, row in rows.items()}
        for name, rows in tomllib.loads(text).items()
    }


def kind_named(name: str) -> JobKind:
    """Read `KIND.GROUP`."""
    kind, _, group = name.partition(".")
    return JobKind(group, kind)


def lint_object(document: Document, offer: Offer, *, is_patch: bool = False) -> LintObject:
    """Read an object; `offer` comes from the cluster in which it is applied."""
    read = pod_templates(document)
    templates = tuple(replace(each, partial=each.partial or is_patch) for each in read)
    pods = ((each, Pod(each.document, offer.names.is_gpu)) for each in templates)
    gpu_pods = tuple(GpuPod(each.pointer, pod) for each, pod in pods if pod.asks_for_gpu)
    return LintObject(document, kind_of(document), templates, gpu_pods)


def states_no(holder: Json, field: str) -> str:
    """Say that a field is missing, beside what may be a typo of it."""
    *above, name = field.split(".")
    close = nearest(name, members(value_at(holder, above)))
    return f"states {shown(close[0])} and no {field}" if close else f"states no {field}"


class WrittenContainer(NamedTuple):
    """A container of any kind as it is written, whatever it asks for."""

    culprit: str
    """Its name in findings: `container train`."""
    pointer: str
    """JSON Pointer from the object."""
    raw: Mapping[str, Json]


def written_containers(template: PodTemplate) -> Iterator[WrittenContainer]:
    """Yield each container of a template; one without a name is called by its place."""
    spec = members(template.document.get("spec"))
    own = "" if template.partial else template.pointer
    for field in _CONTAINERS:
        for index, container in enumerate(elements(spec.get(field))):
            raw = members(container)
            name = shown(text(raw.get("name"))) or field_path(f"{own}/spec/{field}/{index}")
            place = f"{template.pointer}/spec/{field}/{index}"
            yield WrittenContainer(f"container {name}", place, raw)


class RuleFinding(NamedTuple):
    pointer: str
    """JSON Pointer from the object to what is wrong, or to where something is missing."""
    message: str
    remedy: str
    fix: tuple[Operation, ...] = ()
    """The JSON Patch on the object that fixes it; empty where only its author can."""
    severity: LintSeverity | None = None
    """None where it is the severity of the rule."""


@dataclass(frozen=True, slots=True)
class LintContext:
    """The cluster and namespace in which an object is applied."""

    facts: ClusterFacts
    settings: Settings
    offer: Offer
    """The offer of the cluster's pools; all objects can share it, with its cache."""
    namespace: str
    siblings: Siblings = ALONE
    """What the other objects of the file, and of the run, say."""
    holder: JobKind | None = None
    """The kind of the object that wraps the one that is judged."""
    policies: ObjectPolicies = NO_POLICIES
    """The API server's policies that judge what no rule of admission does."""

    @property
    def capacities(self) -> Sequence[Capacity]:
        """The most that the pods of the namespace can have; none where that is not known."""
        return self.facts.capacities.get(self.namespace, ())

    @property
    def is_meant(self) -> bool:
        """Whether the object is meant for this cluster; else it may be for another."""
        return self.facts.is_named or self.namespace in self.settings.namespaces

    @property
    def known_namespace(self) -> NamespaceSettings | None:
        return self.settings.namespaces.get(self.namespace)

    @property
    def scheduler(self) -> str | None:
        """The scheduler that has the queues; None where that of Kubernetes starts pods."""
        scheduler = self.settings.queue_scheduler
        return None if scheduler is None else scheduler.name

    def able_pools(self, pod: Pod) -> Sequence[PoolSettings]:
        """Return the pools of the namespace that a pod reaches: those that can hold it, if any."""
        reached = [*usable(self.offer.reach(pod).pools, self.known_namespace)]
        return [pool for pool in reached if holds(pool, pod)] or reached


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule of the linter alone."""

    name: str
    summary: str
    """A full sentence that is true of an object that passes."""
    check: Callable[[LintObject, LintContext], Iterator[RuleFinding]]
    """A pure function from one object to what is wrong with it."""
    severity: LintSeverity = LintSeverity.WARNING
    of_patches: bool = False
    """Whether it also judges patches: it finds nothing because of what one lacks."""
