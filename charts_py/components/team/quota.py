"""The most that the pods, volumes and claims of a team's namespace may request."""

from collections.abc import Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.spec.kubernetes_version import Feature, KubernetesVersion, has
from charts_py.spec.team import Quota


@dataclass(frozen=True, slots=True)
class TeamQuotaProps:
    """A namespace and its quota."""

    namespace: str
    quota: Quota
    gpus: Mapping[str, int]
    """Allocations by GPU resource, of every resource that the platform offers: a resource that no
    quota names is not bounded at all."""
    kubernetes: KubernetesVersion


class TeamQuota(Construct):
    """The ResourceQuota of a namespace.

    https://kubernetes.io/docs/concepts/policy/resource-quotas/
    """

    def __init__(self, scope: Construct, id: str, props: TeamQuotaProps) -> None:
        super().__init__(scope, id)
        hard = dict(sorted({**_gpus(props), **_compute(props.quota), **_claims(props)}.items()))
        metadata = ObjectMeta("quota", props.namespace)
        add_object(self, "v1", "ResourceQuota", metadata, {"spec": {"hard": hard}})


def _gpus(props: TeamQuotaProps) -> dict[str, str]:
    # An extended resource is only counted under this prefix; a bound on its bare name counts
    # nothing.
    return {f"requests.{resource}": str(count) for resource, count in props.gpus.items()}


def _compute(quota: Quota) -> dict[str, str]:
    return {
        # Requests only: a CPU is shared by time, and bounding limits would force every container to
        # be throttled.
        "requests.cpu": str(quota.cpu),
        # Both, since memory cannot be taken back: what is promised as a limit must be there.
        "requests.memory": quota.memory,
        "limits.memory": quota.memory,
        "requests.storage": quota.storage,
    }


def _claims(props: TeamQuotaProps) -> dict[str, str]:
    # A claim reaches devices past the bounds on extended resources.
    if not has(props.kubernetes, Feature.RESOURCE_CLAIMS):
        return {}
    return {"count/resourceclaims.resource.k8s.io": str(props.quota.resource_claims or 0)}
