"""How a change reaches the nodes of a pool: by which mechanism, and how many at once."""

from dataclasses import dataclass
from enum import StrEnum


class Mechanism(StrEnum):
    """What works through the nodes."""

    DRIFT = "drift"
    """Karpenter makes a node in place of each, moves the pods, and removes the old one."""
    CONSOLIDATION = "consolidation"
    """Karpenter removes or replaces nodes that are empty or little used, within its budgets."""
    POOL_UPGRADE = "pool upgrade"
    """The cloud replaces the nodes of a managed pool."""
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
    """As the node label gpuplane.io/pool has it."""
    made_by: str = ""
    """Name of the object that makes these nodes, where it is one of several of the pool."""
    limits: tuple[str, ...] = ()
    """Nodes at once, as counts or percentages of all, rounded up; the least holds. Without any,
    all nodes at once."""
    surge: str = "0"
    """Nodes that are added first, as a count or percentage: so many more are replaced at once,
    and their GPUs are not missed."""
    nodes: int | None = None
    """How many nodes it concerns at most, where an object says so."""
    drain_seconds: int | None = None
    """How long a node waits for its pods to go, at most; None where nothing bounds it."""

    @property
    def is_blocked(self) -> bool:
        """Whether no node is ever worked on, as a limit of 0 has it."""
        return not self.at_once(1)

    def out_at_once(self, nodes: int) -> int:
        """Return of how many of these nodes the GPUs are out at the same time, spares aside."""
        allowed = (_share(limit, nodes) for limit in self.limits)
        return min((nodes, *allowed))

    def at_once(self, nodes: int) -> int:
        """Return how many of these nodes are worked on at the same time; 0: none ever is."""
        return min(nodes, self.out_at_once(nodes) + _share(self.surge, nodes))


def _share(limit: str, nodes: int) -> int:
    """Return a count, or a percentage of the nodes, rounded up."""
    if limit.endswith("%"):
        return -(-nodes * int(limit.removesuffix("%")) // 100)
    return int(limit)
