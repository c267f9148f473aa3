"""The priority ladder: who waits for whom, and who may evict whom."""

from enum import StrEnum

from pydantic import Field

from charts_py.cluster_file.strict_model import StrictModel

MAX_PRIORITY = 1_000_000_000
"""Values above are reserved for system classes
(https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/)."""

PLATFORM_PRIORITY = "system"
"""The rung of the GPU platform itself, which no team may use."""


class Preemption(StrEnum):
    """Whether a waiting pod may evict running ones of lower priority."""

    LOWER = "lower"
    NEVER = "never"


class Priority(StrictModel):
    """One rung of the ladder."""

    value: int = Field(ge=0, le=MAX_PRIORITY)
    """Higher is served first."""
    preemption: Preemption = Preemption.LOWER
    """`lower` evicts pods of lower priority when nothing is free; `never` waits."""
    description: str = ""
    """What belongs here; shown by `kubectl describe priorityclass`."""


def default_ladder() -> dict[str, Priority]:
    """Return the ladder of a cluster that does not define one."""
    return {
        PLATFORM_PRIORITY: Priority(value=10_000_000, description="The GPU platform itself."),
        "inference": Priority(
            value=1_000_000, description="Services that answer users; evicts anything below."
        ),
        "training": Priority(value=100_000, description="Training that a team waits for."),
        "notebooks": Priority(
            value=10_000, preemption=Preemption.NEVER, description="Interactive work."
        ),
        "batch": Priority(
            value=100,
            preemption=Preemption.NEVER,
            description="Whatever can wait, and can be evicted at any time.",
        ),
    }
