"""Whose pods may evict whose on a pool that several namespaces may use.

Quotas say who may run on a pool, and preemption takes room only there. Nobody evicts for GPUs that
DRA gives out (docs/allocators.md).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from charts_py.platform.platform import Platform, TeamNamespace
from gpuplane.reports.priorities.ladder import Ladder, Rung
from gpus.allocator import Allocator


@dataclass(frozen=True, slots=True)
class Contention:
    """Pods of a namespace that may evict pods of others, or of their own."""

    pool: str
    namespace: str
    priority: str
    victims: tuple[tuple[str, tuple[str, ...]], ...]
    """Namespaces, each with the classes whose pods may be evicted."""


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
