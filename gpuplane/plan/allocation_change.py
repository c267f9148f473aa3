"""Compares the capacity of pools, and the quotas of teams on it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from charts_py.platform.platform import Platform
from gpuplane.reports.cost.cost_item import Figure
from gpuplane.reports.cost.cost_statement import cost_statement
from gpuplane.reports.queues import NamespaceLine, PoolLine, namespace_lines, pool_lines

_Line = TypeVar("_Line")


@dataclass(frozen=True, slots=True)
class PoolChange:
    """A resource of a pool, in allocations; None where the pool does not offer it."""

    before: PoolLine | None
    after: PoolLine | None

    @property
    def over(self) -> int:
        """The allocations that quotas have beyond those of the pool."""
        return max(0, -self.after.unassigned) if self.after else 0


@dataclass(frozen=True, slots=True)
class QuotaChange:
    """A namespace's quota on a resource of a pool, in allocations; None without one."""

    before: NamespaceLine | None
    after: NamespaceLine | None


@dataclass(frozen=True, slots=True)
class TeamChange:
    """The GPUs in all quotas of a team."""

    team: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True, slots=True)
class DeclaredSize:
    """The machines that a file declares for a pool to which nothing adds machines."""

    pool: str
    before: int
    after: int
    gpus: int
    """The GPUs of each machine."""

    @property
    def difference(self) -> int:
        """The GPUs that quotas gain, or lose where it is below 0."""
        return (self.after - self.before) * self.gpus


@dataclass(frozen=True, slots=True)
class AllocationChange:
    """The changes of capacity and quotas, and of the GPUs in all quotas."""

    pools: tuple[PoolChange, ...] = ()
    quotas: tuple[QuotaChange, ...] = ()
    teams: tuple[TeamChange, ...] = ()
    sizes: tuple[DeclaredSize, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pools or self.quotas or self.teams or self.sizes)


NO_CHANGE = AllocationChange()


def allocation_change(before: Platform | None, after: Platform | None) -> AllocationChange:
    """Compare what pools offer and who has it; None for a side without the cluster."""
    pools = _changed(*(_pools(side) for side in (before, after)))
    quotas = _changed(*(_quotas(side) for side in (before, after)))
    teams = _changed(*(_teams(side) for side in (before, after)))
    return AllocationChange(
        pools=tuple(PoolChange(old, new) for _, old, new in pools),
        quotas=tuple(QuotaChange(old, new) for _, old, new in quotas),
        teams=tuple(
            TeamChange(team, old or Fraction(), new or Fraction()) for team, old, new in teams
        ),
        sizes=tuple(_declared_sizes(before, after)) if before and after else (),
    )


def _declared_sizes(before: Platform, after: Platform) -> Iterator[DeclaredSize]:
    """Yield the pools of standing machines for which a file declares another number."""
    if after.provider.makes_nodes:
        return
    old = {pool.name: pool.spec.nodes.max for pool in before.pools}
    for pool in after.pools:
        nodes = pool.spec.nodes.max
        if old.get(pool.name, nodes) != nodes:
            yield DeclaredSize(pool.name, old[pool.name], nodes, pool.hardware.gpus)


def _changed(
    old: Mapping[str, _Line], new: Mapping[str, _Line]
) -> Iterator[tuple[str, _Line | None, _Line | None]]:
    """Yield each difference, first of the keys that are there now."""
    for key in dict.fromkeys((*new, *old)):
        if old.get(key) != new.get(key):
            yield key, old.get(key), new.get(key)


def _pools(platform: Platform | None) -> dict[str, PoolLine]:
    lines = pool_lines(platform) if platform else ()
    return {f"{line.pool} {line.resource}": line for line in lines}


def _quotas(platform: Platform | None) -> dict[str, NamespaceLine]:
    lines = namespace_lines(platform) if platform else ()
    return {f"{line.pool} {line.resource} {line.namespace}": line for line in lines}


def _teams(platform: Platform | None) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for item in cost_statement((platform,)).items if platform else ():
        if item.figure is Figure.RESERVED and item.billed is not None:
            team = item.billed.team
            found[team] = found.get(team, Fraction()) + item.gpus
    return found
