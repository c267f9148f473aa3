"""The priority classes of a cluster, and which pods may evict those of which.

A pod that finds no room evicts pods of lower priority, unless the policy of its class is `Never`;
no policy protects it from pods above it. So classes of the same value never evict each other.
https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.queues import MAX_PRIORITY, Preemption, Priority
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.policy_settings import default_priority
from charts_py.platform.priorities import CLUSTER_CRITICAL, NODE_CRITICAL
from gpuplane.versions.check import selected_platforms
from gpus.allocator import Allocator


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
        """Return whether its pods may evict those of another, where they find no room."""
        is_above = self.priority.value > other.priority.value
        return is_above and self.priority.preemption is Preemption.LOWER


@dataclass(frozen=True, slots=True)
class Ladder:
    """The classes of a cluster, the highest first."""

    cluster: str
    rungs: tuple[Rung, ...]

    def victims_of(self, rung: Rung) -> tuple[str, ...]:
        """Return the classes whose pods its pods may evict."""
        return tuple(other.name for other in self.rungs if rung.evicts(other))

    def evictors_of(self, rung: Rung) -> tuple[str, ...]:
        """Return the classes whose pods may evict its pods."""
        return tuple(other.name for other in self.rungs if other.evicts(rung))

    def never_evictors_of(self, rung: Rung) -> tuple[str, ...]:
        """Return the other classes, whose pods never evict its pods."""
        return tuple(
            other.name for other in self.rungs if other is not rung and not other.evicts(rung)
        )


@dataclass(frozen=True, slots=True)
class ClusterPriorities:
    """Who may evict whom in a cluster."""

    ladder: Ladder
    contentions: tuple[Contention, ...]
    without_preemption: tuple[str, ...]
    """Pools for whose GPUs nobody is evicted."""
    extended: bool
    """Whether extensions may change classes or add some, which are not read here."""


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


def ladder_of(platform: Platform) -> Ladder:
    """Return the priority classes of a cluster and of Kubernetes itself."""
    stated = (_rung(platform, *each) for each in platform.cluster.priorities.items())
    critical = (_rung(platform, *each) for each in _CRITICAL.items())
    rungs = sorted((*critical, *stated), key=lambda rung: (-rung.priority.value, rung.name))
    return Ladder(platform.name, tuple(rungs))


def _rung(platform: Platform, name: str, priority: Priority) -> Rung:
    namespaces = tuple(platform.namespaces)
    users = tuple(each for each in namespaces if name in each.team.priorities)
    default_in = (each.name for each in users if default_priority(platform, each) == name)
    platform_only = name in platform.contribution.reserved_priority_classes
    return Rung(name, priority, users, tuple(default_in), platform_only)


def contentions(platform: Platform, ladder: Ladder) -> Iterator[Contention]:
    """Yield who may evict whom, pool by pool."""
    for pool in platform.pools:
        if pool.facts.allocator is Allocator.DRA:
            continue
        users = [each for each in platform.namespaces if each.spec.quota.gpus.get(pool.name)]
        for user in users:
            yield from _of_namespace(pool.name, user, users, ladder)


def _of_namespace(
    pool: str, user: TeamNamespace, users: Iterable[TeamNamespace], ladder: Ladder
) -> Iterator[Contention]:
    users = tuple(users)
    for rung in _rungs(user, ladder):
        found = ((other.name, _evicted(rung, other, ladder)) for other in users)
        if victims := tuple((name, classes) for name, classes in found if classes):
            yield Contention(pool, user.name, rung.name, victims)


def _evicted(rung: Rung, other: TeamNamespace, ladder: Ladder) -> tuple[str, ...]:
    return tuple(each.name for each in _rungs(other, ladder) if rung.evicts(each))


def _rungs(namespace: TeamNamespace, ladder: Ladder) -> Iterator[Rung]:
    return (rung for rung in ladder.rungs if rung.name in namespace.team.priorities)


def priorities_of(clusters: Path, names: tuple[str, ...]) -> tuple[ClusterPriorities, ...]:
    """Return the priorities of clusters; all without names.

    Raises SpecError with every fault, and RenderError for an unknown name.
    """
    return tuple(map(cluster_priorities, selected_platforms(clusters, names)))


def cluster_priorities(platform: Platform) -> ClusterPriorities:
    """Return who may evict whom in a cluster."""
    ladder = ladder_of(platform)
    return ClusterPriorities(
        ladder=ladder,
        contentions=tuple(contentions(platform, ladder)),
        without_preemption=tuple(_by_dra(platform)),
        extended=platform.cluster.extensions != type(platform.cluster.extensions)(),
    )


def _by_dra(platform: Platform) -> Iterator[str]:
    return (pool.name for pool in platform.pools_by(Allocator.DRA))
