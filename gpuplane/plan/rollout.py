"""How a change reaches the nodes of a pool: by which mechanism, how many at once, how long."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from gpuplane.plan.sources import source

MINUTES_PER_HOUR, SECONDS_PER_MINUTE = 60, 60
_MANY_MINUTES = 120


@dataclass(frozen=True, slots=True)
class Span:
    """A figure between two bounds."""

    low: float
    high: float | None
    """None where it has no limit."""

    def __add__(self, other: "Span") -> "Span":
        return Span(self.low + other.low, _both(self.high, other.high, lambda a, b: a + b))

    def __mul__(self, other: "Span") -> "Span":
        return Span(self.low * other.low, _both(self.high, other.high, lambda a, b: a * b))

    def beside(self, other: "Span") -> "Span":
        return Span(max(self.low, other.low), _both(self.high, other.high, max))

    def words(self, unit: str = "") -> str:
        """Write the span for people: `8`, `0 to 25 nodes`, `at least 1 node`, of `nodes`."""
        if self.high is None:
            if not self.low:
                return f"any number of {unit}" if unit else "unbounded"
            return f"at least {_counted(self.low, unit)}"
        low, high = _number(self.low), _counted(self.high, unit)
        return high if low == _number(self.high) else f"{low} to {high}"


NOTHING = Span(0, 0)


def _both(
    one: float | None, other: float | None, join: Callable[[float, float], float]
) -> float | None:
    return None if one is None or other is None else join(one, other)


def _counted(figure: float, unit: str) -> str:
    """Return a number and its unit, which is stated as a plural; one without a unit alone."""
    number = _number(figure)
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}".rstrip()


def _number(figure: float) -> str:
    return f"{figure:,.1f}".removesuffix(".0")


def exactly(figure: float) -> Span:
    return Span(figure, figure)


def duration(minutes: Span) -> str:
    """Write a time for people: `5 minutes to 17 hours`, `at least 10 minutes`."""
    if minutes.high is None:
        if not minutes.low:
            return "an unbounded time"
        return f"at least {_time(minutes.low)}"
    low, high = _time(minutes.low), _time(minutes.high)
    if low == high:
        return low
    # A unit that both have is written once.
    (first, unit), (_, other) = low.split(), high.split()
    is_same = unit.removesuffix("s") == other.removesuffix("s")
    return f"{first} to {high}" if is_same or not minutes.low else f"{low} to {high}"


def _time(minutes: float) -> str:
    if minutes < _MANY_MINUTES:
        return _counted(minutes, "minutes")
    return _counted(minutes / MINUTES_PER_HOUR, "hours")


class Mechanism(StrEnum):
    """The mechanisms that work through nodes."""

    DRIFT = "drift"
    """Karpenter makes a node in place of each, moves the pods, and removes the old one."""
    CONSOLIDATION = "consolidation"
    """Karpenter removes or replaces nodes that are empty or little used, within its budgets."""
    POOL_UPGRADE = "pool upgrade"
    """The cloud replaces the nodes of a managed pool."""
    MACHINE_UPGRADE = "machine upgrade"
    """Somebody drains one machine after another, and upgrades its kubelet."""
    SCALE_IN = "scale-in"
    """Nodes above a new limit are removed, and none comes in their place."""
    POOL_DELETION = "pool deletion"
    """All nodes of the pool are removed, at once."""
    RECREATION = "recreation"
    """Somebody deletes the pool and creates it again: nothing else can change it."""
    DRIVER_UPGRADE = "driver upgrade"
    """The GPU operator reloads the driver, after the GPU pods of the node are gone."""
    DRIVER_RESTART = "driver restart"
    """The GPU operator restarts the driver's pod; its modules and GPU pods stay."""
    OPERAND_REMOVAL = "operand removal"
    """The GPU operator takes away what makes GPUs usable on the nodes, for good."""
    MIG_LABEL = "MIG label"
    """MIG manager lays out the GPUs anew on every node whose label says so."""
    PLUGIN_RESTART = "device plugin restart"
    """GPUs cannot be given to new pods for as long as the device plugin restarts."""
    RELABELLING = "relabelling"
    """The nodes stay; their labels or taints change, and with them what may run there."""

    @property
    def replaces_first(self) -> bool:
        """Whether a new node is there before the old one goes, so that no GPU is missed."""
        return self in (Mechanism.DRIFT, Mechanism.CONSOLIDATION)

    @property
    def takes_gpus_away(self) -> bool:
        """Whether pods lose the GPUs that they hold, if only to move to another node."""
        return self not in (
            Mechanism.DRIVER_RESTART,
            Mechanism.PLUGIN_RESTART,
            Mechanism.RELABELLING,
        )


@dataclass(frozen=True, slots=True)
class Rollout:
    """How a change reaches the nodes of one pool."""

    mechanism: Mechanism
    pool: str
    """The value of the node label gpuplane.io/pool."""
    made_by: str = ""
    """The name of the object that makes these nodes, where it is one of several of the pool."""
    limits: tuple[str, ...] = ()
    """Nodes at once, as counts or percentages of all, rounded up; the least holds. Without any,
    all nodes at once."""
    surge: str = "0"
    """Nodes that are added first, as a count or percentage: so many more are replaced at once,
    and their GPUs are not missed."""
    nodes: int | None = None
    """It concerns so many nodes at most, where an object says so."""
    is_part: bool = False
    """Whether it concerns a part of these nodes, which nobody knows."""
    drain_seconds: int | None = None
    """A node waits so long for its pods to go, at most; None where it has no limit."""
    needs_room: bool = False
    """Whether a node is left as it is while a pod of it fits nowhere else, as by Karpenter."""
    is_held_by_budgets: bool = False
    """Whether a PodDisruptionBudget that allows no eviction holds a node for longer than that."""

    @property
    def replaces_first(self) -> bool:
        """Whether a new node is there before the old one goes, as in an upgrade by surge alone."""
        is_upgrade = self.mechanism is Mechanism.POOL_UPGRADE
        return self.mechanism.replaces_first or (is_upgrade and not self.out_at_once(1))

    @property
    def is_blocked(self) -> bool:
        return not self.at_once(1)

    def out_at_once(self, nodes: int) -> int:
        """Return on how many of these nodes GPUs are out at the same time, spares aside."""
        allowed = (_share(limit, nodes) for limit in self.limits)
        return min((nodes, *allowed))

    def at_once(self, nodes: int) -> int:
        """Return how many of these nodes are worked on at the same time; 0 if none ever is."""
        return min(nodes, self.out_at_once(nodes) + _share(self.surge, nodes))


def _share(limit: str, nodes: int) -> int:
    """Return a count, or a percentage of the nodes, rounded up."""
    if limit.endswith("%"):
        return -(-nodes * int(limit.removesuffix("%")) // 100)
    return int(limit)


@dataclass(frozen=True, slots=True)
class TimePart:
    """A step of the work on a node, in minutes."""

    minutes: Span
    rests_on: str
    """A clause that says who says so; `{source}` is the URL."""
    source: str = ""
    """The name of the source, where it is a published one."""

    @property
    def note(self) -> str:
        said = self.rests_on.format(source=source(self.source) if self.source else "")
        return f"{said[0].upper()}{said[1:]}."


_NODE = TimePart(
    Span(5, 5),
    "about 5 minutes from a node's creation to its first GPU pod, as practitioners report",
)
_DRIVER = TimePart(
    Span(2, 21),
    "2 to 6 minutes to install a driver, as Red Hat reports; at most 60 s and 120 probes of 10 s "
    "until its pod is started again ({source}, driver.startupProbe)",
    "gpu_operator_values",
)
_MIG = TimePart(
    Span(0, 25),
    "MIG manager waits for at most five things, 5 minutes each; how long it usually takes is not "
    "published ({source})",
    "mig_reconfigure",
)
_MACHINE = TimePart(Span(0, None), "how long a machine takes is up to who upgrades it")
_STEPS = {
    **dict.fromkeys((Mechanism.DRIFT, Mechanism.CONSOLIDATION, Mechanism.POOL_UPGRADE), _NODE),
    Mechanism.RECREATION: _NODE,
    Mechanism.MACHINE_UPGRADE: _MACHINE,
    Mechanism.DRIVER_UPGRADE: _DRIVER,
    Mechanism.MIG_LABEL: _MIG,
}


def step(rollout: Rollout) -> TimePart | None:
    """Return the work on a node that its pods have left; None where its GPUs stay."""
    return _STEPS.get(rollout.mechanism)


def drains(rollout: Rollout) -> bool:
    """Say whether the pods of a node are asked to leave first; MIG manager asks none."""
    return rollout.mechanism in _STEPS and rollout.mechanism is not Mechanism.MIG_LABEL


def node_minutes(rollout: Rollout) -> Span:
    """Return the minutes that a node takes; without a bound where nothing brings GPUs back."""
    if rollout.mechanism is Mechanism.OPERAND_REMOVAL:
        return Span(0, None)
    part, seconds = step(rollout), rollout.drain_seconds
    minutes = NOTHING if part is None else part.minutes
    if not drains(rollout):
        return minutes
    return minutes + Span(0, None if seconds is None else seconds / SECONDS_PER_MINUTE)
