"""A group of nodes with GPUs, and what follows from it with the tables of hardware."""

from dataclasses import dataclass, replace

from gpuplane.adoption.found_object import whole_number
from gpuplane.adoption.pools.gpu_of_nodes import gpus_per_node, known_model
from gpuplane.adoption.pools.node_group import NodeGroup
from gpuplane.adoption.pools.sharing import FoundSharing, found_sharing
from gpuplane.adoption.pools.sharing_config import SharingConfig
from gpus.catalog import Catalog
from gpus.instance_type import InstanceType
from gpus.model import GpuModel
from gpus.provider import Provider
from gpus.vendor import NVIDIA


@dataclass(frozen=True, slots=True)
class FoundPool:
    """A group of nodes with GPUs."""

    group: NodeGroup
    model: GpuModel | None
    """None where no table has it."""
    machine: InstanceType | None
    """The one instance type of its nodes; None without one, or where no table has it."""
    sharing: FoundSharing
    gpus: int | None
    """GPUs of a node."""
    resource: str
    """The extended resource of a whole GPU, which is the key of its taint, too."""

    @property
    def instance_type(self) -> str | None:
        """The one instance type; that of the nodes where several would be allowed."""
        allowed = self.group.instance_types
        running = {node.instance_type for node in self.group.nodes} - {None}
        if len(allowed) > 1 and len(running) == 1:
            return next(iter(running))
        return allowed[0] if len(allowed) == 1 else None

    @property
    def limited(self) -> tuple[str, int] | None:
        """The resource that bounds the nodes, and how many it is enough for; None where none does.

        A limit that its makers state in CPUs or GPUs means nodes only where each node has as many.
        """
        per_node = {self.resource: self.gpus, "cpu": self.machine.cpu if self.machine else None}
        for resource, each in per_node.items():
            limit = whole_number(self.group.limits.get(resource))
            if each and limit is not None and limit >= each:
                return resource, limit // each
        return None


def found_pool(
    group: NodeGroup, provider: Provider, catalog: Catalog, config: SharingConfig
) -> FoundPool:
    """Return a group with its hardware and its sharing."""
    model = known_model(group.labels, group.instance_types, catalog)
    sharing = found_sharing(group, model, config)
    usual = catalog.vendors[NVIDIA].resource
    resource = usual if model is None else catalog.resource_of(model)
    pool = FoundPool(group, model, None, sharing, None, resource)
    machine = catalog.instance_types.get(provider, {}).get(pool.instance_type or "")
    if machine is not None:
        return replace(pool, machine=machine, gpus=machine.gpus)
    if model is None:
        return pool
    counted = gpus_per_node(model, group.labels, group.capacity, sharing.mig, sharing.replicas)
    return replace(pool, gpus=counted)
