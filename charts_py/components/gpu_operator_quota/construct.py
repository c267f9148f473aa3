"""Leave for pods of system-critical priority to run in a namespace of the platform."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.critical_priorities import CRITICAL_PRIORITY_CLASSES


@dataclass(frozen=True, slots=True)
class CriticalPodsQuotaProps:
    """Where critical pods may run, and how many."""

    namespace: str
    pods: int


class CriticalPodsQuota(Construct):
    """A ResourceQuota that allows the critical classes.

    GKE admits them outside kube-system only where a quota names them, since it configures the API
    server to limit their consumption by default:
    https://kubernetes.io/docs/concepts/policy/resource-quotas/#limit-priority-class-consumption-by-default
    and https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/google-gke.html
    """

    def __init__(self, scope: Construct, id: str, props: CriticalPodsQuotaProps) -> None:
        super().__init__(scope, id)
        selected = {
            "scopeName": "PriorityClass",
            "operator": "In",
            "values": list(CRITICAL_PRIORITY_CLASSES),
        }
        spec = {
            "hard": {"pods": str(props.pods)},
            "scopeSelector": {"matchExpressions": [selected]},
        }
        metadata = ObjectMeta("critical-pods", props.namespace)
        add_object(self, "v1", "ResourceQuota", metadata, {"spec": spec})
