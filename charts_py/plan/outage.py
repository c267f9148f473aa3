"""Of how many GPUs a rollout takes how long: k nodes at once, wave by wave."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from charts_py.plan.node_time import node_minutes
from charts_py.plan.pool_nodes import PoolNodes
from charts_py.plan.rollout import Mechanism, Rollout
from charts_py.plan.span import NOTHING, Span, exactly

_MINUTES = 60
_FOR_GOOD = (Mechanism.SCALE_IN, Mechanism.POOL_DELETION)


@dataclass(frozen=True, slots=True)
class Outage:
    """What a rollout means to the GPUs of a pool."""

    rollout: Rollout
    pool: PoolNodes

    @property
    def is_for_good(self) -> bool:
        """Whether its GPUs go, and none come in their place."""
        return self.rollout.mechanism in _FOR_GOOD

    @property
    def moves_pods(self) -> bool:
        """Whether pods move to nodes that are there before the old ones go."""
        return self.rollout.mechanism.replaces_first

    @property
    def is_out(self) -> bool:
        """Whether GPUs are missed for a while."""
        takes = self.rollout.mechanism.takes_gpus_away
        return takes and not self.is_for_good and not self.moves_pods

    @property
    def is_blocked(self) -> bool:
        """Whether no node is ever worked on, as a limit of 0 has it."""
        return bool(self.nodes.high) and not self.at_once.high

    @property
    def nodes(self) -> Span:
        """The nodes that it reaches."""
        most, few = self.rollout.nodes, self.pool.nodes
        if most is None:
            return few
        high = most if few.high is None else min(few.high, most)
        return Span(min(few.low, most), high)

    @property
    def at_once(self) -> Span:
        """The nodes that are worked on at the same time."""
        return _each(self.nodes, self.rollout.at_once)

    @property
    def waves(self) -> Span:
        """How often so many nodes are worked on, one after the other."""
        return _each(self.nodes, self._waves)

    @property
    def gpus(self) -> Span:
        """The GPUs of all nodes that it reaches."""
        return self.nodes * exactly(self.pool.gpus)

    @property
    def gpus_out(self) -> Span:
        """The GPUs that are missed at the same time; none where replacements come first."""
        if not self.is_out:
            return self.gpus if self.is_for_good else NOTHING
        return _each(self.nodes, self.rollout.out_at_once) * exactly(self.pool.gpus)

    @property
    def minutes(self) -> Span:
        """How long all waves take; without a bound where the GPUs go for good."""
        if self.is_for_good:
            return Span(0, None)
        return self.waves * node_minutes(self.rollout)

    @property
    def gpu_hours(self) -> Span:
        """What is missed in all: the GPUs of each node for as long as it takes.

        Of nodes that are replaced at once, those are not missed for which others came first.
        """
        if not self.is_out:
            return Span(0, None) if self.is_for_good else NOTHING
        missed = _each(self.nodes, self._missed)
        hours = node_minutes(self.rollout) * exactly(1 / _MINUTES)
        return missed * exactly(self.pool.gpus) * hours

    def _missed(self, nodes: int) -> float:
        at_once = self.rollout.at_once(nodes)
        return nodes * self.rollout.out_at_once(nodes) / at_once if at_once else 0

    def _waves(self, nodes: int) -> int:
        at_once = self.rollout.at_once(nodes)
        return ceil(nodes / at_once) if at_once else 0


def _each(nodes: Span, count: Callable[[int], float]) -> Span:
    """Return a figure for the fewest and for the most nodes; it grows with them."""
    return Span(count(int(nodes.low)), None if nodes.high is None else count(int(nodes.high)))
