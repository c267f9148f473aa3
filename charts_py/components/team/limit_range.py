"""What a container of a team gets that states nothing, and the most that it may state."""

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import PlatformPool

_MILLICPU = 500
_MEMORY = 4 * 2**30
"""Bytes; enough for a sidecar or a shell. Whoever trains or serves states more."""
_DISK = "1Gi"
"""Enough for logs; a quota on disks rejects containers that state none."""
_FOR_PODS = 0.9
"""Of a node; the rest is for the kubelet, the system and daemons."""
_MIB = 2**20

_BINARY_SUFFIXES = ("", "Ki", "Mi", "Gi", "Ti", "Pi")


def limit_range(
    namespace: str, pools: tuple[PlatformPool, ...], *, bounds_disks: bool = False
) -> Document:
    """Return the LimitRange of a namespace that may use these pools, at least one.

    GPUs are never defaulted.

    Memory: a quota on it rejects containers that state none, so they get some; one that requests
    more than that must state its limit, too. No pod may have more than the largest node, where it
    would wait forever.

    CPU: a maximum rejects containers without a limit, and one small enough to be a default would
    throttle them. So the default is the whole of the largest node, which throttles nothing; and
    only containers are bounded, since the sum over a pod with a sidecar would exceed any node.
    https://kubernetes.io/docs/concepts/policy/limit-range/

    Requests: by default no more than a share of the node, so that as many pods as share its GPUs
    find room there.
    """
    cpu = str(max(pool.hardware.cpu for pool in pools))
    memory = quantity(max(pool.hardware.memory for pool in pools))
    default = quantity(default_memory(pools))
    disk = {"ephemeral-storage": _DISK} if bounds_disks else {}
    container = {
        "type": "Container",
        "default": {"cpu": cpu, "memory": default},
        "defaultRequest": {"cpu": f"{default_millicpu(pools)}m", **disk, "memory": default},
        "max": {"cpu": cpu, "memory": memory},
    }
    spec = {"limits": [container, {"type": "Pod", "max": {"memory": memory}}]}
    return object_of("v1", "LimitRange", ObjectMeta("limits", namespace), {"spec": spec})


def default_millicpu(pools: tuple[PlatformPool, ...]) -> int:
    """Return what a container requests that states nothing, in thousandths of a CPU."""
    return min(_MILLICPU, *(int(pool.hardware.cpu * 1000 * _share(pool)) for pool in pools))


def default_memory(pools: tuple[PlatformPool, ...]) -> int:
    """Return what a container requests that states nothing, in bytes, of whole MiB."""
    memory = min(_MEMORY, *(int(pool.hardware.memory * _share(pool)) for pool in pools))
    return memory - memory % _MIB


def _share(pool: PlatformPool) -> float:
    """Return the part of a node that each of the pods has that share its GPUs."""
    return _FOR_PODS / pool.facts.allocations_per_node


def quantity(count: int) -> str:
    """Return bytes as the API server writes them: with the largest binary suffix that divides."""
    exponent = max(
        exponent for exponent in range(len(_BINARY_SUFFIXES)) if count % 1024**exponent == 0
    )
    return f"{count // 1024**exponent}{_BINARY_SUFFIXES[exponent]}"
