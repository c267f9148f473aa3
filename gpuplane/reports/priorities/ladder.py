"""The priority classes of a cluster, and which pods may evict those of which.

A pod that finds no room evicts pods of lower priority, unless the policy of its class is `Never`;
no policy protects it from pods above it. So classes of the same value never evict each other.
https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
"""

from dataclasses import dataclass

from charts_py.cluster_file.priority import MAX_PRIORITY, Preemption, Priority
from charts_py.platform.critical_priorities import CLUSTER_CRITICAL, NODE_CRITICAL
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.policy_settings import default_priority

CLUSTER_CRITICAL_VALUE = 2 * MAX_PRIORITY
"""`SystemCriticalPriority` in pkg/apis/scheduling of https://github.com/kubernetes/kubernetes."""

_CRITICAL = {
    NODE_CRITICAL: Priority.model_construct(
        value=CLUSTER_CRITICAL_VALUE + 1000,
        description="Pods that must not be moved from their node.",
    ),
    CLUSTER_CRITICAL: Priority.model_construct(
        value=CLUSTER_CRITICAL_VALUE,
        description="Pods that the cluster needs, on whatever node.",
    ),
}
"""The classes of Kubernetes itself, `systemPriorityClasses` there.

They are not validated, since cluster files may not have such values."""


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
    platform_only = name in platform.additions.reserved_priority_classes
    return Rung(name, priority, users, tuple(default_in), platform_only)
