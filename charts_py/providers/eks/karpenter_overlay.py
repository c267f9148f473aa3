"""What a node with shared GPUs offers, for Karpenter to know before the node exists."""

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import PlatformPool
from charts_py.providers.eks.karpenter_requirement import requirement
from gpus.catalog import load_catalog
from gpus.platform_names import POOL


def node_overlay(pool: PlatformPool) -> Document:
    """Return what replaces the instance type's whole GPUs by what the device plugin offers.

    Without it no pod that asks for a MIG instance or a shared GPU ever starts a node: Karpenter
    knows instance types as EC2 describes them (https://github.com/kubernetes-sigs/karpenter/issues/729).
    https://karpenter.sh/v1.14/concepts/nodeoverlays/
    """
    # Overlaid amounts replace the instance type's, so 0 takes the whole GPUs away.
    capacity = {load_catalog().resource_of(pool.hardware.model): "0"}
    capacity |= {resource.name: str(resource.per_node) for resource in pool.facts.resources}
    spec = {
        "requirements": [requirement(POOL, pool.name)],
        "capacity": dict(sorted(capacity.items())),
    }
    metadata = ObjectMeta(pool.name)
    return object_of("karpenter.sh/v1alpha1", "NodeOverlay", metadata, {"spec": spec})
