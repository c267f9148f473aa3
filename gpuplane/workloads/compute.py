"""CPUs and memory of pods: of a node, the part that their GPUs are."""

from charts_py.cluster_file.quantity import bytes_of, millicpu_of
from charts_py.platform.fabric import allocation_share
from charts_py.platform.queue_quota import borrowed_at_most
from gpuplane.workloads.network import devices, network
from gpuplane.workloads.nvlink_domain import container_claims
from gpuplane.workloads.reason import Because, Tree, plain
from gpuplane.workloads.request import NOTHING, SIDECAR, Compute, Request
from policies.settings import EPHEMERAL_STORAGE

_GIB, _MIB = 2**30, 2**20
_WHY_DISK = "its node has to have as much; a node that runs out of it evicts pods"


def node_compute(request: Request) -> Compute:
    """Return the part of a node that the GPUs of a pod are."""
    return Compute(*allocation_share(request.pool, request.gpus))


def quota_compute(request: Request) -> Compute:
    """Return the most that all pods of the namespace can have: its own, and with borrowed GPUs."""
    quota = request.namespace.spec.quota
    borrowed = borrowed_at_most(request.platform, request.namespace)
    own = Compute(millicpu_of(quota.cpu), bytes_of(quota.memory))
    return own + Compute(borrowed.millicpu, borrowed.memory)


def gpu_compute(request: Request) -> Compute:
    """Return what each pod with GPUs gets: its part of a node, and of the namespace's quota.

    Not above 0 where the quota leaves it nothing.
    """
    sidecar = SIDECAR if request.prefill_replicas else NOTHING
    of_node, left = node_compute(request) - sidecar, quota_compute(request) - request.beside
    others = _daemons(request) + sidecar
    millicpu = min(of_node.millicpu, left.millicpu // request.pods - others.millicpu)
    memory = min(of_node.memory, left.memory // request.pods - others.memory)
    return Compute(_whole(millicpu, 1000), _whole(memory, _GIB if memory > _GIB else _MIB))


def _daemons(request: Request) -> Compute:
    """Return what the daemons of the network take of each pod's part of the quota."""
    found = [each for each in network(request).beside if each.get("restartPolicy") == "Always"]
    limits = [each["resources"]["limits"] for each in found]
    each = (Compute(millicpu_of(one["cpu"]), bytes_of(one["memory"])) for one in limits)
    return sum(each, NOTHING)


def gpu_resources(request: Request, disk: str | None = None) -> Tree:
    amounts = gpu_compute(request).amounts()
    gpus = Because(
        str(request.gpus), f"what pool {request.pool.name} offers, at most a node's of it"
    )
    why = "its GPUs' part of what a node has for pods, so that the others are not left without"
    limits = {
        "cpu": Because(amounts["cpu"], why),
        "memory": Because(amounts["memory"], f"{why}; /dev/shm counts towards it"),
        **({EPHEMERAL_STORAGE: Because(disk, _WHY_DISK)} if disk is not None else {}),
        request.resource.name: gpus,
        **devices(request),
    }
    return {**_both(limits), **container_claims(request)}


def launcher_resources(compute: Compute) -> Tree:
    why = "it only tells the others what to do"
    return _both({name: Because(amount, why) for name, amount in compute.amounts().items()})


def _both(limits: Tree) -> dict[str, Tree]:
    return {
        "requests": Because(plain(limits), "as the limits: the pod is the last to be evicted"),
        "limits": limits,
    }


def _whole(amount: int, unit: int) -> int:
    """Round down to whole units, unless that leaves nothing."""
    return amount - amount % unit or amount
