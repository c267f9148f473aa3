"""Permission for the GPU operator's pods to have a system-critical priority.

Where the API server limits the consumption of these priorities by default, it admits such pods
outside kube-system only where a quota names them.
https://kubernetes.io/docs/concepts/policy/resource-quotas/#limit-priority-class-consumption-by-default
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.gpu_sharing.sharing_config import NAMESPACE
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.critical_priorities import CRITICAL_PRIORITY_CLASSES
from charts_py.platform.wave import Wave
from gpus.vendor import NVIDIA

if TYPE_CHECKING:
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def _is_wanted(platform: Platform) -> bool:
    return platform.provider.bounds_critical_pods and bool(platform.pools_of(NVIDIA))


_MAX_CRITICAL_PODS = 1_000_000
"""More than there can be: a cluster has at most 15,000 nodes, with a dozen pods of the operator
each (https://cloud.google.com/kubernetes-engine/quotas)."""


def _objects(_: Platform) -> tuple[Document, ...]:
    """GKE limits the critical classes by default; this quota allows them, in any number.

    https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/google-gke.html
    """
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
    return (object_of("v1", "ResourceQuota", metadata, {"spec": spec}),)


GPU_OPERATOR_QUOTA = Definition(
    name="gpu-operator-quota",
    description=__doc__,
    appears="with NVIDIA GPUs, where the provider bounds system-critical priorities",
    is_wanted=_is_wanted,
    fields=("provider",),
    depends_on=("namespaces",),
    wave=Wave.CONFIGURATION,
    namespace=NAMESPACE,
    objects=_objects,
)
