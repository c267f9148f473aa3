"""A quota by which the GPU operator's pods may have a system-critical priority."""

from constructs import Construct

from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.critical_priorities import CRITICAL_PRIORITY_CLASSES

_MAX_CRITICAL_PODS = 1_000_000
"""More than there can be: a cluster has at most 15,000 nodes, with a dozen pods of the operator
each (https://cloud.google.com/kubernetes-engine/quotas)."""


class GpuOperatorQuota(Construct):
    """A ResourceQuota that allows the critical classes, in any number.

    GKE limits them by default:
    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/google-gke.html
    """

    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        selected = {
            "scopeName": "PriorityClass",
            "operator": "In",
            "values": list(CRITICAL_PRIORITY_CLASSES),
        }
        spec = {
            "hard": {"pods": str(_MAX_CRITICAL_PODS)},
            "scopeSelector": {"matchExpressions": [selected]},
        }
        metadata = ObjectMeta("critical-pods", NAMESPACE)
        add_object(self, "v1", "ResourceQuota", metadata, {"spec": spec})
