"""Queues: jobs wait for their team's share of the GPUs, and borrow what others leave unused."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import ResourceName
from charts_py.cluster_file.unique import Unique


class Borrowing(StrEnum):
    """Whose unused allocations a namespace may borrow."""

    NONE = "none"
    TEAM = "team"
    CLUSTER = "cluster"


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
    after another one has ended. Else it gives its GPUs back and waits again, up to five times. With
    `engine: kueue`."""
    recovery_minutes: int = Field(default=30, ge=5, le=1440)
    """How long the pods of a job that has run may not all be ready, such as after a node is lost,
    until it gives its GPUs back likewise. With `engine: kueue`."""
    uncounted: Annotated[tuple[ResourceName, ...], Unique()] = ()
    """Extended resources beside GPUs that pods may ask for, such as `smarter-devices/fuse`. No job
    starts that asks for one that is neither here nor a pool's `rdmaResource` nor EFA. With `engine:
    kueue`."""
