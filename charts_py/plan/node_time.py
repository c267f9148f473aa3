"""How long a node's GPUs are out, part by part, by what works through the nodes."""

from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.plan.rollout import Mechanism, Rollout
from charts_py.plan.span import NOTHING, Span

_SECONDS = 60
_OPERATOR = (
    "https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/deployments/gpu-operator/values.yaml"
)


@dataclass(frozen=True, slots=True)
class TimePart:
    """What takes time on a node, in minutes."""

    name: str
    minutes: Span
    rests_on: str
    """What says so, in a clause."""


_NODE = TimePart(
    "a new node",
    Span(5, 5),
    "about 5 minutes from a node's creation to its first GPU pod, as practitioners report",
)
_DRIVER = TimePart(
    "the driver",
    Span(2, 21),
    "2 to 6 minutes to install a driver, as Red Hat reports; at most 60 s and 120 probes of 10 s "
    f"until its pod is started again ({_OPERATOR}, driver.startupProbe)",
)
_MIG = TimePart(
    "the MIG layout",
    Span(0, 25),
    "MIG manager waits for at most five things, 5 minutes each; how long it usually takes is not "
    "published (https://github.com/NVIDIA/mig-parted/tree/v0.15.0/pkg/mig/reconfigure)",
)
_PARTS = {
    Mechanism.DRIFT: (_NODE,),
    Mechanism.CONSOLIDATION: (_NODE,),
    Mechanism.POOL_UPGRADE: (_NODE,),
    Mechanism.RECREATION: (_NODE,),
    Mechanism.DRIVER_UPGRADE: (_DRIVER,),
}
"""What follows once the pods of a node are gone."""


def time_parts(rollout: Rollout) -> Iterator[TimePart]:
    """Yield what takes time on a node, in order; nothing where its GPUs stay, or go for good."""
    if rollout.mechanism is Mechanism.MIG_LABEL:
        # MIG manager drains nothing.
        yield _MIG
    elif rollout.mechanism in _PARTS:
        yield _drain(rollout)
        yield from _PARTS[rollout.mechanism]


def node_minutes(rollout: Rollout) -> Span:
    """Return how long a node takes, in minutes."""
    return sum((part.minutes for part in time_parts(rollout)), NOTHING)


def _drain(rollout: Rollout) -> TimePart:
    seconds = rollout.drain_seconds
    if seconds is None:
        why = "nothing bounds how long a node waits for its pods to go"
        return TimePart("its pods leaving", Span(0, None), why)
    minutes = seconds / _SECONDS
    why = f"a node waits for its pods for at most {minutes:g} minutes"
    return TimePart("its pods leaving", Span(0, minutes), why)
