"""How long a node's GPUs are out, part by part, by what works through the nodes."""

from dataclasses import dataclass

from gpuplane.plan.outage.rollout import Mechanism, Rollout
from gpuplane.plan.outage.span import NOTHING, Span
from gpuplane.plan.sources import source

SECONDS_PER_MINUTE = 60


@dataclass(frozen=True, slots=True)
class TimePart:
    """What takes time on a node, in minutes."""

    name: str
    minutes: Span
    rests_on: str
    """What says so, in a clause; `{source}` is the URL."""
    source: str = ""
    """The name of the source, where it is a published one."""

    @property
    def note(self) -> str:
        """A sentence."""
        said = self.rests_on.format(source=source(self.source) if self.source else "")
        return f"{said[0].upper()}{said[1:]}."


_NODE = TimePart(
    "a new node",
    Span(5, 5),
    "about 5 minutes from a node's creation to its first GPU pod, as practitioners report",
)
_DRIVER = TimePart(
    "the driver",
    Span(2, 21),
    "2 to 6 minutes to install a driver, as Red Hat reports; at most 60 s and 120 probes of 10 s "
    "until its pod is started again ({source}, driver.startupProbe)",
    "gpu_operator_values",
)
_MIG = TimePart(
    "the MIG layout",
    Span(0, 25),
    "MIG manager waits for at most five things, 5 minutes each; how long it usually takes is not "
    "published ({source})",
    "mig_reconfigure",
)
_PARTS = {
    Mechanism.DRIFT: (_NODE,),
    Mechanism.CONSOLIDATION: (_NODE,),
    Mechanism.POOL_UPGRADE: (_NODE,),
    Mechanism.RECREATION: (_NODE,),
    Mechanism.DRIVER_UPGRADE: (_DRIVER,),
    Mechanism.MIG_LABEL: (_MIG,),
}
"""What follows once the pods of a node are gone."""


def work(rollout: Rollout) -> tuple[TimePart, ...]:
    """Return what takes time on a node that its pods have left; nothing where its GPUs stay."""
    return _PARTS.get(rollout.mechanism, ())


def drains(rollout: Rollout) -> bool:
    """Whether the pods of a node are asked to leave first; MIG manager asks none."""
    return rollout.mechanism in _PARTS and rollout.mechanism is not Mechanism.MIG_LABEL


def node_minutes(rollout: Rollout) -> Span:
    """Return how long a node takes, in minutes; without a bound where nothing brings GPUs back."""
    if rollout.mechanism is Mechanism.OPERAND_REMOVAL:
        return Span(0, None)
    minutes = sum((part.minutes for part in work(rollout)), NOTHING)
    return minutes + _drain(rollout) if drains(rollout) else minutes


def _drain(rollout: Rollout) -> Span:
    seconds = rollout.drain_seconds
    return Span(0, None if seconds is None else seconds / SECONDS_PER_MINUTE)
