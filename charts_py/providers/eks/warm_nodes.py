"""Nodes that Karpenter keeps running though idle."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.platform import PlatformPool
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.registry_mirrors import RegistryMirrors
from gpus.platform_names import POOL

_IMAGE = "registry.k8s.io/pause:3.10.1"


def warm_nodes(pool: PlatformPool, mirrors: RegistryMirrors) -> Iterator[Document]:
    """Yield a CapacityBuffer of as many imaginary pods as warm nodes, and the pods' template.

    Each asks for a whole node. The pods exist in Karpenter's simulation only; when real ones take a
    node, it starts another, within the NodePool's limit.
    https://karpenter.sh/v1.14/concepts/capacitybuffers/

    They ask for half of the CPUs, too; the kubelet and daemons need less than the other half. The
    simulation places first what asks for more CPUs, and the rest on the first node that has room:
    pods that could move together would otherwise take the idle node, and no node would go.
    https://github.com/kubernetes-sigs/karpenter at v1.15.0
    (pkg/controllers/provisioning/scheduling/queue.go: `byCPUAndMemoryDescending`)
    """
    metadata = ObjectMeta(f"warm-{pool.name}", namespace=NODE_POOLS_NAMESPACE)
    template = _template(pool, mirrors.of(_IMAGE))
    yield object_of("v1", "PodTemplate", metadata, {"template": template})
    spec = {
        "provisioningStrategy": "buffer.x-k8s.io/active-capacity",
        "podTemplateRef": {"name": metadata.name},
        "replicas": pool.spec.nodes.warm,
    }
    yield object_of("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", metadata, {"spec": spec})


def _template(pool: PlatformPool, image: str) -> dict[str, object]:
    whole_node = {resource.name: str(resource.per_node) for resource in pool.facts.resources}
    container = {
        "name": "placeholder",
        "image": image,
        # Extended resources are never overcommitted: the API wants limit and request alike.
        "resources": {
            "requests": {"cpu": str(pool.hardware.cpu // 2), **whole_node},
            "limits": whole_node,
        },
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    return {
        "spec": {
            "nodeSelector": {POOL: pool.name},
            "tolerations": tolerations_of(pool.facts.taints),
            "containers": [container],
        }
    }
