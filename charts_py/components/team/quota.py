"""The most that the pods, volumes and claims of a team's namespace may request."""

from collections import Counter
from collections.abc import Mapping

from charts_py.cluster_file.cpu_quantity import format_cpus, millicpu_of
from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.cluster_file.quantity import bytes_of
from charts_py.cluster_file.team import Quota
from charts_py.components.team.limit_range import quantity
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.borrowed import Borrowed, borrowed_at_most
from charts_py.platform.gpu_shares import device_class_shares, gpu_shares
from charts_py.platform.platform import Platform, TeamNamespace


def resource_quota(namespace: str, bounds: Mapping[str, str]) -> Document:
    """Return the ResourceQuota of a namespace.

    https://kubernetes.io/docs/concepts/policy/resource-quotas/
    """
    spec = {"hard": dict(sorted(bounds.items()))}
    return object_of("v1", "ResourceQuota", ObjectMeta("quota", namespace), {"spec": spec})


def quota_bounds(platform: Platform, namespace: TeamNamespace) -> dict[str, str]:
    """Return what the quota of a namespace bounds, by resource."""
    quota, by_class = namespace.spec.quota, device_class_shares(platform, namespace)
    borrowed = borrowed_at_most(platform, namespace)
    gpus = Counter(gpu_shares(platform, namespace) | by_class)
    gpus.update(borrowed.gpus)
    bounds = {**_gpus(gpus), **_compute(quota, borrowed)}
    # A claim reaches devices past the bounds on extended resources. The scheduler makes one for
    # each pod whose GPUs DRA allocates, which the bounds on those hold, too.
    if has(platform.cluster.kubernetes, Feature.RESOURCE_CLAIMS):
        claims = (quota.resource_claims or 0) + sum(gpus[resource] for resource in by_class)
        bounds["count/resourceclaims.resource.k8s.io"] = str(claims)
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
