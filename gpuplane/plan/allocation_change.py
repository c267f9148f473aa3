"""The capacity of pools, and the quotas of teams on it, before and after a change."""

import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import attrgetter
from typing import Generic, TypeVar

from charts_py.platform.platform import Platform
from gpuplane.plan.part import Part
from gpuplane.plan.sources import source
from gpuplane.reports.cost.cost_item import Figure
from gpuplane.reports.cost.cost_statement import cost_statement, number_of
from gpuplane.reports.queues import NamespaceLine, PoolLine, namespace_lines, pool_lines
from gpuplane.tables import Row, Table
from gpus.platform_names import POOL
from policies.document import few

_TEAM = ("Team", "GPUs in quotas before", "After", "Difference")
_QUOTA = ("Namespace", "Pool", "Resource", "Own before", "After", "Reach before", "After")
_POOL = ("Pool", "Resource", "Capacity before", "After", "In quotas before", "After")
_Line = TypeVar("_Line")
_Change = TypeVar("_Change")


@dataclass(frozen=True, slots=True)
class LineChange(Generic[_Line]):
    """A line that differs, in allocations; at least one side has it."""

    before: _Line | None
    after: _Line | None

    @property
    def line(self) -> _Line:
        """The line afterwards; one that goes, as it was."""
        line = self.after or self.before
        assert line is not None  # noqa: S101 # else there were no change
        return line

    def amounts(self, *names: str) -> Iterator[str]:
        for name in names:
            for side in (self.before, self.after):
                yield str(getattr(side, name)) if side else "-"


@dataclass(frozen=True, slots=True)
class PoolChange(LineChange[PoolLine]):
    """A resource of a pool; None where the pool does not offer it."""

    @property
    def over(self) -> int:
        return max(0, -self.after.unassigned) if self.after else 0


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
class PoolLimit:
    """The GPUs that a pool has at most, where machines are made for it."""

    pool: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class AllocationChange:
    """The changes of capacity and quotas, and of the GPUs in all quotas."""

    pools: tuple[PoolChange, ...] = ()
    quotas: tuple[LineChange[NamespaceLine], ...] = ()
    teams: tuple[TeamChange, ...] = ()
    sizes: tuple[DeclaredSize, ...] = ()
    limits: tuple[PoolLimit, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pools or self.quotas or self.teams or self.sizes or self.limits)

    def brought_by(self, promotion: "AllocationChange") -> "AllocationChange":
        """Return the part of it that a promotion brings: the rest is live as it becomes."""
        return AllocationChange(
            pools=_shared(self.pools, promotion.pools, _pool_key),
            quotas=_shared(self.quotas, promotion.quotas, _quota_key),
            teams=tuple(_brought(self.teams, promotion.teams)),
            sizes=_shared(self.sizes, promotion.sizes, attrgetter("pool")),
            limits=_shared(self.limits, promotion.limits, attrgetter("pool")),
        )


NO_CHANGE = AllocationChange()


def _brought(own: Iterable[TeamChange], promoted: Iterable[TeamChange]) -> Iterator[TeamChange]:
    """Yield the changes from what was rendered, or from what is live where that is nearer."""
    live = {each.team: each.before for each in promoted}
    for each in own:
        _, before, _ = sorted((live.get(each.team, each.after), each.before, each.after))
        if before != each.after:
            yield replace(each, before=before)


def _pool_key(change: PoolChange) -> tuple[str, str]:
    return change.line.pool, change.line.resource


def _quota_key(change: LineChange[NamespaceLine]) -> tuple[str, str, str]:
    return change.line.pool, change.line.resource, change.line.namespace


def _shared(
    own: Iterable[_Change], others: Iterable[_Change], key: Callable[[_Change], object]
) -> tuple[_Change, ...]:
    keys = {key(each) for each in others}
    return tuple(each for each in own if key(each) in keys)


def allocation_change(before: Platform | None, after: Platform | None) -> AllocationChange:
    """Compare what pools offer and who has it; None for a side without the cluster."""
    pools = _changed(_pools, before, after)
    quotas = _changed(_quotas, before, after)
    teams = _changed(_teams, before, after)
    return AllocationChange(
        pools=tuple(PoolChange(old, new) for _, old, new in pools),
        quotas=tuple(LineChange(old, new) for _, old, new in quotas),
        teams=tuple(
            TeamChange(team, old or Fraction(), new or Fraction()) for team, old, new in teams
        ),
        sizes=tuple(_declared_sizes(before, after)) if before and after else (),
        limits=tuple(_limits(before, after)) if before and after else (),
    )


def _changed(
    of: Callable[[Platform], Mapping[str, _Line]], before: Platform | None, after: Platform | None
) -> Iterator[tuple[str, _Line | None, _Line | None]]:
    """Yield each difference, first of the keys that are there now."""
    old, new = ({} if side is None else of(side) for side in (before, after))
    for key in dict.fromkeys((*new, *old)):
        if old.get(key) != new.get(key):
            yield key, old.get(key), new.get(key)


def _pools(platform: Platform) -> dict[str, PoolLine]:
    return {f"{line.pool} {line.resource}": line for line in pool_lines(platform)}


def _quotas(platform: Platform) -> dict[str, NamespaceLine]:
    lines = namespace_lines(platform)
    return {f"{line.pool} {line.resource} {line.namespace}": line for line in lines}


def _teams(platform: Platform) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for item in cost_statement((platform,)).items:
        if item.figure is Figure.RESERVED and item.billed is not None:
            team = item.billed.team
            found[team] = found.get(team, Fraction()) + item.gpus
    return found


def _declared_sizes(before: Platform, after: Platform) -> Iterator[DeclaredSize]:
    """Yield the pools of standing machines for which a file declares another number."""
    if after.provider.makes_nodes:
        return
    old = {pool.name: pool.spec.nodes.max for pool in before.pools}
    for pool in after.pools:
        nodes = pool.spec.nodes.max
        if old.get(pool.name, nodes) != nodes:
            yield DeclaredSize(pool.name, old[pool.name], nodes, pool.hardware.gpus)


def _limits(before: Platform, after: Platform) -> Iterator[PoolLimit]:
    if not after.provider.makes_nodes:
        return
    old, new = (
        {pool.name: pool.spec.nodes.max * pool.hardware.gpus for pool in side.pools}
        for side in (before, after)
    )
    for name, most in new.items():
        if old.get(name, most) != most:
            yield PoolLimit(name, old[name], most)


def allocation_part(
    cluster: str, change: AllocationChange, held: Collection[str] = ()
) -> Iterator[Part]:
    """Yield the part, if any; `held` are namespaces that wait for somebody who confirms."""
    if not change:
        return
    selectors = (shlex.quote(f"{POOL}={size.pool}") for size in change.sizes)
    machines = (f"kubectl get nodes --selector {selector}" for selector in selectors)
    commands = (f"gpuplane queues {shlex.quote(cluster)}", *machines)
    notes = (*_notes(change), *_held(change, held))
    # The first sentence says who loses quota and who gains it.
    is_detail = not any(each.over for each in change.pools)
    tables = tuple(_tables(change))
    yield Part("Capacity and quotas", (), tables, notes, commands, is_detail=is_detail)


def _tables(change: AllocationChange) -> Iterator[Table]:
    if change.teams:
        rows = [*map(_team_row, change.teams)]
        if len(change.teams) > 1:
            before = sum((each.before for each in change.teams), Fraction())
            after = sum((each.after for each in change.teams), Fraction())
            rows.append(_team_row(TeamChange("together", before, after)))
        yield Table(_TEAM, tuple(rows), words=1)
    if change.quotas:
        quotas = ((each, each.line) for each in change.quotas)
        yield Table(
            _QUOTA,
            tuple(
                (of.namespace, of.pool, of.resource, *each.amounts("own", "reach"))
                for each, of in quotas
            ),
            words=3,
        )
    if change.pools:
        pools = ((each, each.line) for each in change.pools)
        yield Table(
            _POOL,
            tuple(
                (of.pool, of.resource, *each.amounts("capacity", "promised")) for each, of in pools
            ),
            words=2,
        )


def _team_row(each: TeamChange) -> Row:
    difference = number_of(each.after - each.before, "+")
    return (each.team, number_of(each.before), number_of(each.after), difference)


def _notes(change: AllocationChange) -> Iterator[str]:
    yield from map(_declared_size, change.sizes)
    yield (
        "GPUs count shares of a GPU as parts of it. Own, reach, capacity and quotas are "
        "allocations: whole GPUs, MIG instances, or shares of either."
    )
    for each in change.pools:
        if each.over:
            line = each.line
            yield (
                f"Over-committed: quotas on {line.pool} come to {line.promised} {line.resource}, "
                f"{each.over} more than the {line.capacity} of its {line.nodes} nodes."
            )


def _held(change: AllocationChange, held: Collection[str]) -> Iterator[str]:
    names = dict.fromkeys(each.line.namespace for each in change.quotas)
    if staying := [name for name in names if name in held]:
        yield (
            f"The quotas of {few(staying)} stay beside those of others until somebody confirms "
            "the removal."
        )


def _declared_size(size: DeclaredSize) -> str:
    stated = (
        f"{size.pool} is stated to have {size.after} nodes of {size.gpus} GPUs in place of "
        f"{size.before}"
    )
    if size.difference < 0:
        return (
            f"{stated}, so quotas can have {-size.difference} GPUs fewer. The merge removes no "
            "machine: those that still match keep the labels of the pool, and pods run and start "
            "on them, until somebody drains them and takes them out of the cluster "
            f"({source('node_features')})."
        )
    return (
        f"{stated}, so quotas can have {size.difference} GPUs more. The merge adds no machine: one "
        "belongs to the pool once it has joined the cluster and matches "
        f"({source('node_features')})."
    )
