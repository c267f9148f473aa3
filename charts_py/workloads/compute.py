"""CPUs and memory of pods: of a node, the part that their GPUs are."""

from dataclasses import dataclass

from charts_py.platform.fabric import node_share
from charts_py.spec.cpu_quantity import format_cpus, millicpu_of
from charts_py.spec.quantity import bytes_of
from charts_py.workloads.network import container_claims, devices
from charts_py.workloads.reason import Tree, because, plain
from charts_py.workloads.request import Request
from policies.quantity import format_bytes

_GIB, _MIB = 2**30, 2**20


@dataclass(frozen=True, slots=True)
class Compute:
    """CPUs and memory of a pod."""

    millicpu: int
    memory: int
    """Bytes."""

    def __add__(self, other: "Compute") -> "Compute":
        return Compute(self.millicpu + other.millicpu, self.memory + other.memory)

    def amounts(self) -> dict[str, str]:
        """Return the amounts as a container has them."""
        return {"cpu": format_cpus(self.millicpu), "memory": format_bytes(self.memory)}


LAUNCHER = Compute(1000, 4 * _GIB)
"""Of a pod that starts others, or tells them what to do, and computes nothing itself."""


def gpu_compute(request: Request, beside: Compute | None = None) -> Compute:
    """Return what each pod with GPUs gets: its part of a node, and of the namespace's quota.

    `beside` is what the workload's other pod takes of the quota.
    """
    pool, quota, taken = request.pool, request.namespace.spec.quota, beside or Compute(0, 0)
    node, parts = node_share(pool, pool.hardware.gpus), pool.facts.allocations_per_node
    millicpu = min(
        node.cpu * 1000 * request.gpus // parts,
        (millicpu_of(quota.cpu) - taken.millicpu) // request.nodes,
    )
    memory = min(
        node.memory_gib * _GIB * request.gpus // parts,
        (bytes_of(quota.memory) - taken.memory) // request.nodes,
    )
    return Compute(_whole(millicpu, 1000), _whole(memory, _GIB if memory > _GIB else _MIB))


def gpu_resources(request: Request, beside: Compute | None = None) -> Tree:
    """Return the requests and limits of a container that computes."""
    amounts = gpu_compute(request, beside).amounts()
    gpus = because(
        str(request.gpus), f"what pool {request.pool.name} offers, at most a node's of it"
    )
    why = "its GPUs' part of what a node has for pods, so that the others are not left without"
    limits = {
        "cpu": because(amounts["cpu"], why),
        "memory": because(amounts["memory"], f"{why}; /dev/shm counts towards it"),
        request.resource.name: gpus,
        **devices(request),
    }
    return {**_both(limits), **container_claims(request)}


def launcher_resources(compute: Compute) -> Tree:
    """Return the requests and limits of a container that starts or leads others."""
    why = "it only tells the others what to do"
    return _both({name: because(amount, why) for name, amount in compute.amounts().items()})


def _both(limits: Tree) -> dict[str, Tree]:
    return {
        "requests": because(plain(limits), "as the limits: the pod is the last to be evicted"),
        "limits": limits,
    }


def _whole(amount: int, unit: int) -> int:
    """Round down to whole units, unless that leaves nothing."""
    return amount - amount % unit or amount
