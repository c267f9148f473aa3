"""Who waits for whom: the ladder of priorities, and queues, in which teams share the GPUs."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.quantity import PositiveQuantity
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.strict_model import MAX_NODES, StrictModel, Unique, added_later
from charts_py.cluster_file.text_forms import NamespaceName, ObjectName, ResourceName

MAX_PRIORITY = 1_000_000_000
"""Values above are reserved for system classes
(https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/)."""
PLATFORM_PRIORITY = "system"
"""The rung of the GPU platform itself, which no team may use."""
NODE_CRITICAL = "system-node-critical"
CLUSTER_CRITICAL = "system-cluster-critical"
CRITICAL_PRIORITY_CLASSES = (CLUSTER_CRITICAL, NODE_CRITICAL)
"""https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/"""


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


_MOST_WORKERS = 20
"""https://github.com/kubernetes-sigs/kueue, apis/kueue/v1beta2/multikueue_types.go at v0.19.2"""


class MultiKueue(StrictModel):
    """A cluster that takes jobs, and those that run them. It is the same for all of them."""

    manager: str = Field(examples=["hub"])
    """The cluster that takes the jobs. It needs `queues` of Kueue, too."""
    workers: Annotated[tuple[str, ...], Unique()] = Field(
        min_length=1, max_length=_MOST_WORKERS, examples=[["training", "onprem"]]
    )
    """The clusters that run them. A job goes to the one that lets it start first."""
    namespaces: Annotated[tuple[NamespaceName, ...], Unique()] = Field(
        min_length=1, examples=[["research-training"]]
    )
    """Namespaces whose jobs go to the workers: each is one of the same team in all these clusters,
    with a quota on GPUs in every worker, and none in the manager."""

    def is_manager(self, cluster: str) -> bool:
        return cluster == self.manager

    def is_worker(self, cluster: str) -> bool:
        return cluster in self.workers and cluster != self.manager


class Partition(StrictModel):
    """Nodes of one pool, to which jobs are submitted by the name of the partition."""

    pool: str
    """The pool, of whole NVIDIA GPUs."""
    nodes: int = Field(ge=1, le=MAX_NODES)
    """How many of its nodes. They run all the time, and no quota of a team counts their GPUs."""


class SlurmStorage(StrictModel):
    """The volume in which the controller keeps its jobs and their state."""

    class_name: ObjectName | None = None
    """StorageClass; defaults to that of the cluster."""
    size: PositiveQuantity = "4Gi"
    """Its size."""


class Login(StrictModel):
    """A machine to log in to by SSH; `{}` has one with defaults."""

    sssd_secret: ObjectName = "slurm-sssd"  # noqa: S105 # its name
    """Secret with the key `sssd.conf`, which says where users come from."""


class Slurm(StrictModel):
    """A Slurm cluster on some nodes of the pools, in the namespace `slurm`."""

    partitions: dict[str, Partition] = Field(
        min_length=1, examples=[{"train": {"pool": "h100", "nodes": 2}}]
    )
    """Partitions by name; jobs that name none run in the first one."""
    storage: SlurmStorage = SlurmStorage()
    """Where the controller keeps its state."""
    login: Login | None = None
    """A machine to log in to; without it, jobs come through `kubectl exec` alone."""

    def nodes_of(self, pool: str) -> int:
        return sum(each.nodes for each in self.partitions.values() if each.pool == pool)


class Borrowing(StrEnum):
    """Whose unused allocations a namespace may borrow."""

    NONE = "none"
    TEAM = "team"
    CLUSTER = "cluster"


class QueueStrategy(StrEnum):
    """What becomes of the jobs behind one of their queue for which there is no room."""

    BEST_EFFORT = "best-effort"
    STRICT = "strict"


class Queues(StrictModel):
    """Jobs wait until their GPUs are free, all of them at once; `{}` has queues with defaults."""

    engine: QueueEngine = QueueEngine.KUEUE
    """What decides which job has its GPUs next. `kueue` holds jobs back and leaves their pods to
    the scheduler of Kubernetes; `volcano` and `kai` schedule GPU pods themselves, and do not count
    GPUs by pool: `volcano` counts by resource, `kai` whole GPUs."""
    borrowing: Borrowing = Borrowing.CLUSTER
    """Whose unused allocations a namespace may borrow, of pools on which it has a quota itself:
    those of its `team`, of every team in the `cluster`, or of `none`. Who lent them gets them back
    by preemption as soon as it needs them."""
    ready_minutes: int = Field(default=30, ge=5, le=1440)
    """How long a job that is let start may take until all its pods are ready, or have succeeded:
    nodes that start and images that are pulled count in, and so does every step of a job that comes
    after another one has ended. Else it gives its GPUs back and waits again, up to `retries` times.
    With `engine: kueue`."""
    recovery_minutes: int = Field(default=30, ge=5, le=1440)
    """How long the pods of a job that has run may not all be ready, such as after a node is lost,
    until it gives its GPUs back likewise. With `engine: kueue`."""
    retries: Annotated[int, Field(ge=0, le=1000)] = added_later(5)
    """How often in its life a job may give its GPUs back so, and wait again; the next time it is
    deactivated. A run of months loses some nodes, and needs more. With `engine: kueue`."""
    strategy: QueueStrategy = added_later(QueueStrategy.BEST_EFFORT)
    """What becomes of the jobs of a namespace that wait behind an older one, of the same priority,
    for which there is no room: `best-effort` lets those start for which there is, so that small
    jobs can pass a large one for ever; `strict` has all of them wait (docs/queues.md). With
    `engine: kueue`."""
    uncounted: Annotated[tuple[ResourceName, ...], Unique()] = ()
    """Extended resources beside GPUs that pods may ask for, such as `smarter-devices/fuse`. No job
    starts that asks for one that is neither here nor a pool's `rdmaResource` nor EFA. With `engine:
    kueue`."""


def default_ladder() -> dict[str, Priority]:
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
