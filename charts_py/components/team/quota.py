"""The bounds of a team's namespace in sum, and the defaults and maxima of its containers."""

from collections import Counter
from collections.abc import Mapping

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.cluster_file.quantity import bytes_of, format_cpus, millicpu_of
from charts_py.cluster_file.team import Quota
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.gpu_shares import device_class_shares, gpu_shares
from charts_py.platform.node_cache import CLAIMED, cached_volumes
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.queue_quota import Borrowed, borrowed_at_most

_MILLICPU = 500
_MEMORY = 4 * 2**30
"""Bytes; enough for a sidecar or a shell. Whoever trains or serves states more."""
_DISK = "1Gi"
"""Enough for logs; a quota on disks rejects containers that state none."""
_FOR_PODS = 0.9
"""Share of a node for pods; the rest is for the kubelet, the system and daemons."""
CLAIMS = "count/resourceclaims.resource.k8s.io"
"""The bound on ResourceClaims."""
_MIB = 2**20
_BINARY_SUFFIXES = ("", "Ki", "Mi", "Gi", "Ti", "Pi")


def resource_quota(namespace: str, bounds: Mapping[str, str], *, name: str = "quota") -> Document:
    """Return a ResourceQuota of a namespace.

    https://kubernetes.io/docs/concepts/policy/resource-quotas/
    """
    spec = {"hard": dict(sorted(bounds.items()))}
    return object_of("v1", "ResourceQuota", ObjectMeta(name, namespace), {"spec": spec})


def quota_bounds(platform: Platform, namespace: TeamNamespace) -> dict[str, str]:
    quota, by_class = namespace.spec.quota, device_class_shares(platform, namespace)
    borrowed = borrowed_at_most(platform, namespace)
    gpus = Counter(gpu_shares(platform, namespace) | by_class)
    gpus.update(borrowed.gpus)
    bounds = {**_gpus(gpus), **_compute(quota, borrowed)}
    if claims_of_platform := [*cached_volumes(platform, namespace.name)]:
        storage = bytes_of(quota.storage) + len(claims_of_platform) * bytes_of(CLAIMED)
        bounds["requests.storage"] = quantity(storage)
    # A claim reaches devices past the bounds on extended resources. The scheduler makes one for
    # each pod whose GPUs DRA allocates, which the bounds on those hold, too.
    if has(platform.cluster.kubernetes, Feature.RESOURCE_CLAIMS):
        claims = (quota.resource_claims or 0) + sum(gpus[resource] for resource in by_class)
        bounds[CLAIMS] = str(claims)
    return bounds


def _gpus(shares: Mapping[str, int]) -> dict[str, str]:
    # An extended resource is only counted under this prefix; a bound on its bare name counts
    # nothing.
    return {f"requests.{resource}": str(count) for resource, count in shares.items()}


def _compute(quota: Quota, borrowed: Borrowed) -> dict[str, str]:
    disk, memory = quota.ephemeral_storage, _sum_of_memory(quota.memory, borrowed.memory)
    return {
        **({"requests.ephemeral-storage": disk} if disk is not None else {}),
        "services.loadbalancers": str(quota.load_balancers),
        "services.nodeports": str(quota.node_ports),
        # Requests only: a CPU is shared by time, and bounding limits would force every container to
        # be throttled.
        "requests.cpu": _sum_of_cpus(quota.cpu, borrowed.millicpu),
        # Both, since memory cannot be taken back: what is promised as a limit must be there.
        "requests.memory": memory,
        "limits.memory": memory,
        "requests.storage": quota.storage,
    }


def _sum_of_cpus(quota: str, millicpu: int) -> str:
    return format_cpus(millicpu_of(quota) + millicpu) if millicpu else quota


def _sum_of_memory(quota: str, memory: int) -> str:
    return quantity(bytes_of(quota) + memory) if memory else quota


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
    cpu = str(max(pool.hardware.most_cpu for pool in pools))
    memory = quantity(max(pool.hardware.most_memory for pool in pools))
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
