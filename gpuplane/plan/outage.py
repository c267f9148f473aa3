"""Computes how many GPUs a rollout takes away for how long: k nodes at once, wave by wave."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil

from charts_py.platform.platform import Platform
from gpuplane.plan.rollout import (
    MINUTES_PER_HOUR,
    NOTHING,
    Mechanism,
    Rollout,
    Span,
    exactly,
    node_minutes,
)
from gpuplane.plan.running_nodes import RunningNodes

_REMOVING = (Mechanism.SCALE_IN, Mechanism.POOL_DELETION)
_ONE_BUDGET = (Mechanism.DRIVER_UPGRADE, Mechanism.DRIVER_RESTART, Mechanism.MACHINE_UPGRADE)
"""These count the nodes of all pools as one: drivers by `source("driver_upgrade_limit")`."""


@dataclass(frozen=True, slots=True)
class PoolNodes:
    """The nodes of a pool before a change."""

    cluster: str
    pool: str
    nodes: Span
    gpus: int
    """The GPUs of each node."""
    is_counted: bool = False
    """Whether somebody counted the nodes; else they are between those kept and the most."""

    @property
    def place(self) -> str:
        """Cluster and pool, as in `training/h100`."""
        return f"{self.cluster}/{self.pool}"


@dataclass(frozen=True, slots=True)
class Outage:
    """What a rollout means to the GPUs of a pool, or of several that it works through as one."""

    rollout: Rollout
    """The rollout of the first pool."""
    pools: tuple[PoolNodes, ...]
    successor: str | None = None
    """The pool that may have as many nodes of the same machines in place of those that go."""
    is_held: bool = False
    """Whether nothing of it happens before somebody confirms it."""
    is_possible: bool = False
    """Whether nobody knows that it happens at all, as with a chart that no record tells of."""
    unplaceable: tuple[str, ...] = ()
    """Resources of its pools whose pods may fit nowhere afterwards."""
    moves_none: bool = False
    """Whether its pools offer no other resources, so that no pod moves."""
    unmet: tuple[str, ...] = ()
    """What nodes have too little of, by their detector, until they are replaced."""

    @property
    def place(self) -> str:
        """The pools, and the object that makes their nodes, where it makes a part of them."""
        names = ", ".join(each.pool for each in self.pools)
        made_by = self.rollout.made_by
        return names if made_by in ("", names) else f"{names} ({made_by})"

    @property
    def places(self) -> str:
        return ", ".join(each.place for each in self.pools)

    @property
    def is_for_good(self) -> bool:
        """Whether its GPUs go, and none come in their place."""
        return self.removes_nodes and self.successor is None

    @property
    def removes_nodes(self) -> bool:
        """Whether nodes go, and nothing waits for others to come in their place."""
        return self.rollout.mechanism in _REMOVING

    @property
    def moves_pods(self) -> bool:
        return self.rollout.replaces_first

    @property
    def stays(self) -> bool:
        """Whether nodes stay as they are while such pods run there."""
        return bool(self.unplaceable) and self.rollout.needs_room

    @property
    def stops_pods(self) -> bool:
        is_idle = self.is_blocked or self.needs_somebody or (self.stays and self.moves_none)
        return self.rollout.mechanism.takes_gpus_away and not is_idle

    @property
    def is_out(self) -> bool:
        takes = self.rollout.mechanism.takes_gpus_away
        return takes and not self.removes_nodes and not self.moves_pods

    @property
    def needs_somebody(self) -> bool:
        """Whether GPUs are missed only once somebody makes the pool anew, and not by the merge."""
        return self.rollout.mechanism is Mechanism.RECREATION

    @property
    def is_blocked(self) -> bool:
        """Whether no node is ever worked on, as a limit of 0 has it."""
        return bool(self.nodes.high) and not self.at_once.high

    @property
    def nodes(self) -> Span:
        found = sum((each.nodes for each in self.pools), NOTHING)
        found = Span(0, found.high) if self.rollout.is_part else found
        most = self.rollout.nodes
        if most is None:
            return found
        return Span(min(found.low, most), most if found.high is None else min(found.high, most))

    @property
    def at_once(self) -> Span:
        return _each(self.nodes, self.rollout.at_once)

    @property
    def waves(self) -> Span:
        """How often so many nodes are worked on, one after the other."""
        return _each(self.nodes, self._waves)

    @property
    def gpus(self) -> Span:
        if len(self.pools) == 1:
            return self.nodes * exactly(self.pools[0].gpus)
        return sum((each.nodes * exactly(each.gpus) for each in self.pools), NOTHING)

    @property
    def gpus_out(self) -> Span:
        """The GPUs that are missed at the same time at most; none where replacements come first."""
        if not self.is_out:
            return self.gpus if self.removes_nodes else NOTHING
        most = max(each.gpus for each in self.pools)
        out, reached = _each(self.nodes, self.rollout.out_at_once) * exactly(most), self.gpus
        # Pools of different machines: not all nodes have the most GPUs.
        bounds = (each for each in (out.high, reached.high) if each is not None)
        return Span(min(out.low, reached.low), min(bounds, default=None))

    @property
    def minutes(self) -> Span:
        """How long all waves take; without a bound where nodes just go, or stay."""
        if self.removes_nodes or self.stays:
            return Span(0, None)
        return self.waves * node_minutes(self.rollout)

    @property
    def gpu_hours(self) -> Span:
        """What is missed in all: the GPUs of each node for as long as it takes.

        Nodes that are replaced at once are not missed where their replacements came first.
        """
        if not self.is_out:
            return Span(0, None) if self.removes_nodes else NOTHING
        hours = node_minutes(self.rollout) * exactly(1 / MINUTES_PER_HOUR)
        if len(self.pools) == 1:
            missed = _each(self.nodes, lambda nodes: nodes * self._missed(nodes))
            return missed * exactly(self.pools[0].gpus) * hours
        return self.gpus * _each(self.nodes, self._missed) * hours

    def _waves(self, nodes: int) -> int:
        at_once = self.rollout.at_once(nodes)
        return ceil(nodes / at_once) if at_once else 0

    def _missed(self, nodes: int) -> float:
        """Return the part of the nodes worked on whose replacements did not come first."""
        at_once = self.rollout.at_once(nodes)
        return self.rollout.out_at_once(nodes) / at_once if at_once else 0


def outages(sized: Iterable[tuple[Rollout, PoolNodes]]) -> Iterator[Outage]:
    """Yield what rollouts mean; as one for pools whose nodes count against the same limits."""
    together: dict[Rollout, list[tuple[Rollout, PoolNodes]]] = {}
    for rollout, pool in sized:
        key = replace(rollout, pool="") if rollout.mechanism in _ONE_BUDGET else rollout
        together.setdefault(key, []).append((rollout, pool))
    for found in together.values():
        yield Outage(found[0][0], tuple(pool for _, pool in found))


def _each(nodes: Span, count: Callable[[int], float]) -> Span:
    """Return the least and the most of a figure over all numbers of nodes that there can be.

    It need not grow with them: where a tenth goes at once, 10 nodes take 10 waves, and 11 take 6.
    """
    if nodes.high is None:
        return Span(count(int(nodes.low)), None)
    counts = [count(each) for each in range(int(nodes.low), int(nodes.high) + 1)]
    return Span(min(counts), max(counts))


def pool_nodes(
    cluster: str, pool: str, running: RunningNodes, *platforms: Platform
) -> PoolNodes | None:
    """Go by the first platform that has the pool; return None where none has."""
    found = (one for platform in platforms for one in platform.pools if one.name == pool)
    if (one := next(found, None)) is None:
        return None
    counted = running.get((cluster, pool))
    known = Span(one.min_nodes, one.spec.nodes.max)
    nodes = known if counted is None else exactly(counted)
    return PoolNodes(cluster, pool, nodes, one.hardware.gpus, counted is not None)


def part_of(pool: PoolNodes, own: int | None, others: Iterable[int | None]) -> PoolNodes:
    """Return the nodes that one of several objects of a pool makes: at most its own number.

    A part that is no larger than what the pool keeps is taken as kept; the others have the rest.
    """
    rest = sum(each or 0 for each in others)
    if own is None or not rest:
        return pool
    low, high = pool.nodes.low, pool.nodes.high
    if own <= low:
        return replace(pool, nodes=exactly(own))
    left = None if high is None else max(0, high - rest)
    return replace(pool, nodes=Span(max(0, low - rest), left))


def sized_rollouts(
    rollouts: Iterable[Rollout], cluster: str, running: RunningNodes, platforms: Iterable[Platform]
) -> Iterator[tuple[Rollout, PoolNodes]]:
    """Yield each rollout with the size of its pool, as it is or will be, where that is known."""
    for rollout in rollouts:
        nodes = pool_nodes(cluster, rollout.pool, running, *platforms)
        if nodes is not None:
            made = {each.made_by: each.nodes for each in rollouts if each.pool == rollout.pool}
            others = (count for name, count in made.items() if name != rollout.made_by)
            yield rollout, part_of(nodes, rollout.nodes, others)


def by_size(outage: Outage) -> tuple[object, ...]:
    """Order by the GPUs that are out, then by those that are reached, the most first."""
    out, all_gpus = outage.gpus_out, outage.gpus
    return (-(out.high or 0), -(all_gpus.high or 0), outage.place, outage.rollout.mechanism)
