"""The priority classes of a cluster, and which pods may evict which others.

A pod that finds no room evicts pods of lower priority, unless the policy of its class is `Never`;
no policy protects it from pods above it. So classes of the same value never evict each other.
https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import msgspec

from charts_py.cluster_file.queues import (
    CLUSTER_CRITICAL,
    MAX_PRIORITY,
    NODE_CRITICAL,
    Preemption,
    Priority,
)
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.policy_settings import default_priority
from gpuplane.json_output import attributes
from gpuplane.tables import Row, Table
from gpus.allocator import Allocator

Fields: TypeAlias = dict[str, Any]

CLUSTER_CRITICAL_VALUE = 2 * MAX_PRIORITY
"""`SystemCriticalPriority` in pkg/apis/scheduling of https://github.com/kubernetes/kubernetes."""
_CRITICAL = {
    NODE_CRITICAL: Priority.model_construct(
        value=CLUSTER_CRITICAL_VALUE + 1000,
        description="Pods that must not be moved from their node.",
    ),
    CLUSTER_CRITICAL: Priority.model_construct(
        value=CLUSTER_CRITICAL_VALUE, description="Pods that the cluster needs, on whatever node."
    ),
}
"""The classes of Kubernetes itself, `systemPriorityClasses` there.

They are not validated, since cluster files may not have such values."""
_WAITS = {Preemption.LOWER: "evicts what is lower", Preemption.NEVER: "waits"}
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Contention:
    """Pods of a namespace that may evict pods of others, or of their own."""

    pool: str
    namespace: str
    priority: str
    victims: tuple[tuple[str, tuple[str, ...]], ...]
    """Namespaces, each with the classes whose pods may be evicted."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A priority class."""

    name: str
    priority: Priority
    users: tuple[TeamNamespace, ...]
    """The namespaces of teams whose pods may name it."""
    default_in: tuple[str, ...]
    """The namespaces where GPU pods that name none get it."""
    platform_only: bool
    """Whether only Kubernetes and the platform use it."""

    def evicts(self, other: "Rung") -> bool:
        is_above = self.priority.value > other.priority.value
        return is_above and self.priority.preemption is Preemption.LOWER


@dataclass(frozen=True, slots=True)
class Ladder:
    """The classes of a cluster, the highest first."""

    cluster: str
    rungs: tuple[Rung, ...]

    def victims_of(self, rung: Rung) -> tuple[str, ...]:
        return tuple(other.name for other in self.rungs if rung.evicts(other))

    def evictors_of(self, rung: Rung) -> tuple[str, ...]:
        return tuple(other.name for other in self.rungs if other.evicts(rung))


@dataclass(frozen=True, slots=True)
class ClusterPriorities:
    """Who can preempt whom in a cluster."""

    ladder: Ladder
    contentions: tuple[Contention, ...]
    without_preemption: tuple[str, ...]
    """Pools for whose GPUs nobody is evicted."""
    extended: bool
    """Whether extensions may change classes or add some, which are not read here."""


@dataclass(frozen=True, slots=True)
class Disruption:
    """Something that ends pods which run."""

    what: str
    budgets: str
    """Whether a PodDisruptionBudget holds it back."""
    source: str


@cache
def disruptions() -> tuple[Disruption, ...]:
    table = tomllib.loads((files(__package__) / "disruptions.toml").read_text(encoding="utf-8"))
    return msgspec.convert(table["disruptions"], tuple[Disruption, ...])


def cluster_priorities(platform: Platform) -> ClusterPriorities:
    ladder = ladder_of(platform)
    return ClusterPriorities(
        ladder=ladder,
        contentions=tuple(contentions(platform, ladder)),
        without_preemption=tuple(pool.name for pool in platform.pools_by(Allocator.DRA)),
        extended=platform.cluster.extensions != type(platform.cluster.extensions)(),
    )


def ladder_of(platform: Platform) -> Ladder:
    classes = (*_CRITICAL.items(), *platform.cluster.priorities.items())
    rungs = (_rung(platform, *each) for each in classes)
    by_value = sorted(rungs, key=lambda rung: (-rung.priority.value, rung.name))
    return Ladder(platform.name, tuple(by_value))


def _rung(platform: Platform, name: str, priority: Priority) -> Rung:
    users = tuple(each for each in platform.namespaces if name in each.team.priorities)
    default_in = (each.name for each in users if default_priority(platform, each) == name)
    platform_only = name in platform.contribution.reserved_priority_classes
    return Rung(name, priority, users, tuple(default_in), platform_only)


def contentions(platform: Platform, ladder: Ladder) -> Iterator[Contention]:
    """Yield who can preempt whom on each pool, except pools whose GPUs DRA gives out."""
    for pool in platform.pools:
        if pool.facts.allocator is Allocator.DRA:
            continue
        users = {
            each.name: [rung for rung in ladder.rungs if rung.name in each.team.priorities]
            for each in platform.namespaces
            if each.spec.quota.gpus.get(pool.name)
        }
        for namespace, rung in ((name, rung) for name, rungs in users.items() for rung in rungs):
            if victims := tuple(_victims(rung, users)):
                yield Contention(pool.name, namespace, rung.name, victims)


def _victims(rung: Rung, users: dict[str, list[Rung]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for namespace, rungs in users.items():
        if classes := tuple(each.name for each in rungs if rung.evicts(each)):
            yield namespace, classes


def evictions_sentence(clusters: Iterable[ClusterPriorities]) -> str:
    """Return on which pools namespaces evict pods of each other."""
    clusters = tuple(clusters)
    own = dict.fromkeys(
        _place(cluster, each) for cluster in clusters for each in cluster.contentions
    )
    others = dict.fromkeys(
        _place(cluster, each)
        for cluster in clusters
        for each in cluster.contentions
        if any(name != each.namespace for name, _ in each.victims)
    )
    if not own:
        return "No pods of teams evict others."
    if not others:
        return "No namespace evicts pods of another, only its own."
    return f"Namespaces evict pods of each other on {', '.join(others)}, and on no other pool."


def eviction_table(clusters: Iterable[ClusterPriorities]) -> Table:
    rows = (
        (_place(cluster, each), *_evicting(each))
        for cluster in clusters
        for each in cluster.contentions
    )
    return Table(("Pool", "Namespace", "Its pods of", "Evict"), tuple(rows), words=4)


def _place(cluster: ClusterPriorities, contention: Contention) -> str:
    return f"{cluster.ladder.cluster}/{contention.pool}"


def detailed_tables(clusters: Iterable[ClusterPriorities]) -> Iterator[Table]:
    """Yield the classes of each cluster, and who uses them."""
    for cluster in clusters:
        yield class_table(cluster.ladder)
        yield user_table(cluster.ladder)


def class_table(ladder: Ladder) -> Table:
    stated = ((each.name, each.priority) for each in ladder.rungs)
    rows = ((name, str(p.value), _WAITS[p.preemption], p.description) for name, p in stated)
    return _ladder_table(ladder, ("Value", "Without room", "Description"), rows)


def user_table(ladder: Ladder) -> Table:
    """Return who may use each class, and where pods get it by themselves."""
    rows = []
    for rung in ladder.rungs:
        users = ", ".join(f"{each.team_name}: {each.name}" for each in rung.users) or NOBODY
        shown = "the platform" if rung.platform_only else users
        rows.append((rung.name, shown, ", ".join(rung.default_in)))
    return _ladder_table(ladder, ("Teams and namespaces", "Default in"), rows)


def _ladder_table(ladder: Ladder, headers: Row, rows: Iterable[Row]) -> Table:
    return Table((f"Class of {ladder.cluster}", *headers), tuple(rows), words=1 + len(headers))


def contention_table(cluster: ClusterPriorities) -> Table:
    headers = (f"Pool of {cluster.ladder.cluster}", "Namespace", "Its pods of", "Evict")
    rows = ((each.pool, *_evicting(each)) for each in cluster.contentions)
    return Table(headers, tuple(rows), words=4)


def _evicting(contention: Contention) -> Row:
    victims = "; ".join(f"{name}: {', '.join(classes)}" for name, classes in contention.victims)
    return contention.namespace, contention.priority, victims


def priorities_notes(clusters: Iterable[ClusterPriorities]) -> Iterator[str]:
    """Yield what holds for every pool, and then what is particular to a cluster."""
    yield (
        "On every pool, pods of Kubernetes and of the platform evict those of teams that are below "
        "them. Pods without a class have the value 0, unless the cluster has a default class."
    )
    yield from exceptions_notes(clusters)


def exceptions_notes(clusters: Iterable[ClusterPriorities]) -> Iterator[str]:
    """Yield what is particular to a cluster."""
    for cluster in clusters:
        name = cluster.ladder.cluster
        if cluster.without_preemption:
            pools = ", ".join(cluster.without_preemption)
            yield f"{name}: DRA gives out the GPUs of {pools}, for which nobody is evicted."
        if cluster.extended:
            yield f"{name}: extensions may change classes or add some, which are not read here."


def priorities_fields(clusters: Iterable[ClusterPriorities]) -> Fields:
    return {
        "items": [_cluster_fields(cluster) for cluster in clusters],
        "disruptions": [asdict(each) for each in disruptions()],
    }


def _cluster_fields(cluster: ClusterPriorities) -> Fields:
    return {
        "cluster": cluster.ladder.cluster,
        "classes": [_rung_fields(cluster.ladder, rung) for rung in cluster.ladder.rungs],
        "evictions": [
            {
                **attributes(each, "pool", "namespace"),
                "class": each.priority,
                "victims": [{"namespace": name, "classes": of} for name, of in each.victims],
            }
            for each in cluster.contentions
        ],
        "poolsWithoutPreemption": cluster.without_preemption,
        "extended": cluster.extended,
    }


def _rung_fields(ladder: Ladder, rung: Rung) -> Fields:
    return {
        "name": rung.name,
        **attributes(rung.priority, "value", "preemption", "description"),
        "evicts": ladder.victims_of(rung),
        "evictedBy": ladder.evictors_of(rung),
        "platformOnly": rung.platform_only,
        "namespaces": [{"team": each.team_name, "name": each.name} for each in rung.users],
        "defaultIn": rung.default_in,
    }
