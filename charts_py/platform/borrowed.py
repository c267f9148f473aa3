"""The most that a namespace may hold beyond its quota, where its queue lets it borrow."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.queue_quota import borrowable, queue_pools
from gpus.allocator import device_class_resource
from gpus.pool_facts import node_part


@dataclass(frozen=True, slots=True)
class Borrowed:
    """What comes on top of a quota."""

    gpus: Mapping[str, int]
    """Allocations by resource, and by that of the DeviceClass where DRA gives them out."""
    millicpu: int = 0
    memory: int = 0
    """Bytes."""


def borrowed_at_most(platform: Platform, namespace: TeamNamespace) -> Borrowed:
    """Return the GPUs that others may lend a namespace, each with its part of its node.

    Kueue counts GPUs alone; a quota on CPUs and memory that knew nothing of borrowing would refuse
    the pods of a job that it has let start.
    """
    gpus: Counter[str] = Counter()
    millicpu = memory = 0
    for pool in queue_pools(platform, namespace):
        lent = borrowable(platform, namespace, pool)
        gpus.update(lent)
        if pool.facts.device_class is not None:
            gpus[device_class_resource(pool.facts.device_class)] += sum(lent.values())
        nodes = sum(lent[each.name] * node_part(pool.facts, each) for each in pool.facts.resources)
        millicpu += int(nodes * 1000 * pool.hardware.cpu)
        memory += int(nodes * pool.hardware.memory)
    return Borrowed(gpus, millicpu, memory)
