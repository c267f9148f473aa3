"""Slurm: whole nodes on which people run jobs by `sbatch` and `srun`."""

from pydantic import Field

from charts_py.cluster_file.bounds import MAX_NODES
from charts_py.cluster_file.quantity import PositiveQuantity
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import ObjectName


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
        """Return how many nodes of a pool are Slurm's."""
        return sum(each.nodes for each in self.partitions.values() if each.pool == pool)
