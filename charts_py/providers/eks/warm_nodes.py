"""Nodes that Karpenter keeps running though idle."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import PlatformPool
from gpus.platform_names import POOL

_IMAGE = "registry.k8s.io/pause:3.10.1"


@dataclass(frozen=True, slots=True)
class WarmNodesProps:
    """A pool that keeps warm nodes, and the namespace of the objects that say so."""

    pool: PlatformPool
    namespace: str


class WarmNodes(Construct):
    """A CapacityBuffer of as many imaginary pods as warm nodes, each asking for a whole node.

    The pods exist in Karpenter's simulation only; when real ones take a node, it starts another,
    within the NodePool's limit. https://karpenter.sh/v1.14/concepts/capacitybuffers/
    """

    def __init__(self, scope: Construct, id: str, props: WarmNodesProps) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(f"warm-{props.pool.name}", namespace=props.namespace)
        add_object(self, "v1", "PodTemplate", metadata, {"template": _template(props.pool)})
        spec = {
            "provisioningStrategy": "buffer.x-k8s.io/active-capacity",
            "podTemplateRef": {"name": metadata.name},
            "replicas": props.pool.spec.nodes.warm,
        }
        version = "autoscaling.x-k8s.io/v1beta1"
        add_object(self, version, "CapacityBuffer", metadata, {"spec": spec})


def _template(pool: PlatformPool) -> dict[str, object]:
    whole_node = {resource.name: str(resource.per_node) for resource in pool.facts.resources}
    container = {
        "name": "placeholder",
        "image": _IMAGE,
        # Extended resources are never overcommitted: the API wants limit and request alike.
        "resources": {"requests": whole_node, "limits": whole_node},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    tolerations = [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in pool.facts.taints
    ]
    return {
        "spec": {
            "nodeSelector": {POOL: pool.name},
            "tolerations": tolerations,
            "containers": [container],
        }
    }
