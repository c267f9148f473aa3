"""What a change does to the capacity of pools, and to what teams have of it."""

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
    """One resource of a pool, in allocations; None where the pool does not offer it."""

    before: PoolLine | None
    after: PoolLine | None

    @property
    def over(self) -> int:
        """How many allocations more are in quotas than the pool has."""
        return max(0, -self.after.unassigned) if self.after else 0


@dataclass(frozen=True, slots=True)
class QuotaChange:
    """What a namespace has of one resource of a pool, in allocations; None without a quota."""

    before: NamespaceLine | None
    after: NamespaceLine | None


@dataclass(frozen=True, slots=True)
class TeamChange:
    """The GPUs that the quotas of a team come to."""

    team: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True, slots=True)
class StatedSize:
    """How many machines of its owner's a pool is stated to have; nothing adds or removes them."""

    pool: str
    before: int
    after: int
    gpus: int
    """On each machine."""

    @property
    def difference(self) -> int:
        """The GPUs that quotas can have more, or fewer where it is below 0."""
        return (self.after - self.before) * self.gpus


@dataclass(frozen=True, slots=True)
class AllocationChange:
    """What changes of capacity and quotas, and what the GPUs in all quotas come to."""

    pools: tuple[PoolChange, ...] = ()
    quotas: tuple[QuotaChange, ...] = ()
    teams: tuple[TeamChange, ...] = ()
    sizes: tuple[StatedSize, ...] = ()

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
        sizes=tuple(_stated_sizes(before, after)) if before and after else (),
    )


def _stated_sizes(before: Platform, after: Platform) -> Iterator[StatedSize]:
    """Yield the pools of machines that stand somewhere of which a file states another number."""
    if after.provider.makes_nodes:
        return
    old = {pool.name: pool.spec.nodes.max for pool in before.pools}
    for pool in after.pools:
        nodes = pool.spec.nodes.max
        if old.get(pool.name, nodes) != nodes:
            yield StatedSize(pool.name, old[pool.name], nodes, pool.hardware.gpus)


def _changed(
    old: Mapping[str, _Line], new: Mapping[str, _Line]
) -> Iterator[tuple[str, _Line | None, _Line | None]]:
    """Yield what differs, in the order of what is there now, and then what is gone."""
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
