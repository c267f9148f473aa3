"""Priorities as tables for people."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from charts_py.cluster_file.queues import Preemption
from gpuplane.reports.priorities import ClusterPriorities, Contention, Ladder, Rung
from gpuplane.tables import Row, Table

_CONCEPTS = "https://kubernetes.io/docs/concepts"


@dataclass(frozen=True, slots=True)
class Disruption:
    """Something that ends pods which run."""

    what: str
    budgets: str
    """Whether a PodDisruptionBudget holds it back."""
    source: str


DISRUPTIONS: tuple[Disruption, ...] = (
    Disruption(
        "preemption, by the scheduler",
        "best effort: it looks for victims whose budgets allow it, and else evicts others",
        f"{_CONCEPTS}/scheduling-eviction/pod-priority-preemption/",
    ),
    Disruption(
        "kubectl drain, and all that uses the eviction API, such as autoscalers",
        "held back, for as long as an autoscaler or an upgrade waits",
        f"{_CONCEPTS}/scheduling-eviction/api-eviction/",
    ),
    Disruption(
        "a node short of memory or disk, by the kubelet",
        "not held back; pods above their requests go first, then those of low priority",
        f"{_CONCEPTS}/scheduling-eviction/node-pressure-eviction/",
    ),
    Disruption(
        "a taint with the effect NoExecute, such as that of broken GPUs",
        "not held back",
        f"{_CONCEPTS}/scheduling-eviction/taint-and-toleration/",
    ),
    Disruption(
        "a node that fails, or a spot machine that is taken back",
        "not held back, but counted",
        f"{_CONCEPTS}/workloads/pods/disruptions/",
    ),
    Disruption(
        "a rollout or a deletion, by whoever owns the pod",
        "not held back; a rollout heeds the Deployment's own strategy",
        f"{_CONCEPTS}/workloads/pods/disruptions/",
    ),
)


Fields: TypeAlias = dict[str, Any]


_WAITS = {Preemption.LOWER: "evicts what is lower", Preemption.NEVER: "waits"}
NOBODY = "nobody"


def priorities_tables(clusters: Iterable[ClusterPriorities]) -> Iterator[Table]:
    """Yield the classes of each cluster, who uses them, who evicts whom, and what budgets hold."""
    for cluster in clusters:
        yield class_table(cluster.ladder)
        yield _matrix_table(cluster.ladder)
        yield user_table(cluster.ladder)
        if cluster.contentions:
            yield contention_table(cluster)
    yield disruption_table()


def class_table(ladder: Ladder) -> Table:
    """Return the classes of a cluster, the highest first."""
    return _ladder_table(ladder, ("Value", "Without room", "Description"), _class_row)


def user_table(ladder: Ladder) -> Table:
    """Return who may use each class, and where pods get it by themselves."""
    return _ladder_table(ladder, ("Teams and namespaces", "Default in"), _user_row)


def _matrix_table(ladder: Ladder) -> Table:
    return _ladder_table(ladder, ("Evicts", "Evicted by", "Never evicted by"), _matrix_row)


def _ladder_table(ladder: Ladder, headers: Row, row: Callable[[Ladder, Rung], Row]) -> Table:
    rows = tuple((rung.name, *row(ladder, rung)) for rung in ladder.rungs)
    return Table((f"Class of {ladder.cluster}", *headers), rows, words=1 + len(headers))


def _class_row(_: Ladder, rung: Rung) -> Row:
    priority = rung.priority
    return (str(priority.value), _WAITS[priority.preemption], priority.description)


def _matrix_row(ladder: Ladder, rung: Rung) -> Row:
    sides = (ladder.victims_of(rung), ladder.evictors_of(rung), ladder.never_evictors_of(rung))
    return tuple(", ".join(names) or NOBODY for names in sides)


def _user_row(_: Ladder, rung: Rung) -> Row:
    users = (f"{each.team_name}: {each.name}" for each in rung.users)
    shown = "the platform" if rung.platform_only else ", ".join(users) or NOBODY
    return (shown, ", ".join(rung.default_in))


def contention_table(cluster: ClusterPriorities) -> Table:
    """Return whose pods may evict whose, by pool."""
    headers = (f"Pool of {cluster.ladder.cluster}", "Namespace", "Its pods of", "Evict")
    rows = (
        (each.pool, each.namespace, each.priority, "; ".join(map(_victims, each.victims)))
        for each in cluster.contentions
    )
    return Table(headers, tuple(rows), words=4)


def _victims(victims: tuple[str, tuple[str, ...]]) -> str:
    namespace, classes = victims
    return f"{namespace}: {', '.join(classes)}"


def disruption_table() -> Table:
    """Return what ends pods, and whether budgets hold it back."""
    headers = ("What ends pods", "PodDisruptionBudgets", "Source")
    rows = tuple((each.what, each.budgets, each.source) for each in DISRUPTIONS)
    return Table(headers, rows, words=3)


def priorities_notes(clusters: Iterable[ClusterPriorities]) -> Iterator[str]:
    """Yield what holds for every pool, and then what is particular to a cluster."""
    yield (
        "On every pool, pods of Kubernetes and of the platform evict those of teams that are below "
        "them. Pods without a class have the value 0, unless the cluster has a default class."
    )
    for cluster in clusters:
        name = cluster.ladder.cluster
        if cluster.without_preemption:
            pools = ", ".join(cluster.without_preemption)
            yield f"{name}: DRA gives out the GPUs of {pools}, for which nobody is evicted."
        if cluster.extended:
            yield f"{name}: extensions may change classes or add some, which are not read here."


def priorities_fields(clusters: Iterable[ClusterPriorities]) -> Fields:
    """Return who may evict whom in each cluster, and what holds back what ends pods."""
    return {
        "items": [_cluster(cluster) for cluster in clusters],
        "disruptions": [asdict(each) for each in DISRUPTIONS],
    }


def _cluster(cluster: ClusterPriorities) -> Fields:
    return {
        "cluster": cluster.ladder.cluster,
        "classes": [_rung(cluster.ladder, rung) for rung in cluster.ladder.rungs],
        "evictions": [_contention(each) for each in cluster.contentions],
        "poolsWithoutPreemption": cluster.without_preemption,
        "extended": cluster.extended,
    }


def _rung(ladder: Ladder, rung: Rung) -> Fields:
    return {
        "name": rung.name,
        "value": rung.priority.value,
        "preemption": rung.priority.preemption,
        "description": rung.priority.description,
        "evicts": ladder.victims_of(rung),
        "evictedBy": ladder.evictors_of(rung),
        "platformOnly": rung.platform_only,
        "namespaces": [{"team": each.team_name, "name": each.name} for each in rung.users],
        "defaultIn": rung.default_in,
    }


def _contention(each: Contention) -> Fields:
    victims = [{"namespace": name, "classes": classes} for name, classes in each.victims]
    return {
        "pool": each.pool,
        "namespace": each.namespace,
        "class": each.priority,
        "victims": victims,
    }
