"""Node pools on EKS that Karpenter makes nodes for.

Three of its features are alpha and off by default in 1.14; the clusters' Karpenter must run with
those gates that its pools need (https://karpenter.sh/v1.14/reference/settings/#feature-gates):
`StaticCapacity` where a pool has a least size, `CapacityBuffer` where it keeps warm nodes, and
`NodeOverlay` where its GPUs are shared.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.tolerations import taint_objects
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.providers.eks.ec2_node_class import Ec2NodeClass, Ec2NodeClassProps
from charts_py.providers.eks.karpenter_names import MINIMUM_SUFFIX
from charts_py.providers.eks.karpenter_overlay import KarpenterOverlay, KarpenterOverlayProps
from charts_py.providers.eks.karpenter_requirement import requirement
from charts_py.providers.eks.warm_nodes import WarmNodes, WarmNodesProps
from charts_py.spec.driver import DriverOwner
from charts_py.spec.kubernetes_version import KubernetesVersion
from charts_py.spec.pool import Purpose
from charts_py.spec.provider import EksSettings
from gpus.sharing import SharingKind


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """When Karpenter may take a node away, as its NodePool spells it."""

    consolidation_policy: str
    consolidate_after: str
    expire_after: str
    """Expiry drains a node whatever the budgets say."""
    termination_grace_period: str | None
    """How long pods can hold up a drain; None: as long as they like."""


# Runs of training lose hours with one node, so a node goes only when it is empty, or drifted and
# free of pods that say `karpenter.sh/do-not-disrupt`.
# https://karpenter.sh/v1.14/concepts/disruption/
_LIFECYCLES: Mapping[Purpose, Lifecycle] = {
    Purpose.TRAINING: Lifecycle("WhenEmpty", "30m", "Never", None),
    Purpose.BATCH: Lifecycle("WhenEmpty", "5m", "720h", "6h"),
    Purpose.NOTEBOOKS: Lifecycle("WhenEmpty", "30m", "720h", "12h"),
    Purpose.INFERENCE: Lifecycle("WhenEmptyOrUnderutilized", "10m", "720h", "1h"),
}

# Empty nodes go at once; what runs somewhere moves a node at a time.
_BUDGETS = (
    {"nodes": "100%", "reasons": ["Empty"]},
    {"nodes": "1", "reasons": ["Drifted", "Underutilized"]},
)


@dataclass(frozen=True, slots=True)
class KarpenterNodePoolProps:
    """A pool, and how many of its nodes."""

    pool: PlatformPool
    replicas: int | None
    """Nodes kept whatever runs; None: as many as pods ask for."""
    most: int
    """Nodes at most. Karpenter counts them when it starts nodes for pods, and beyond `replicas`
    when it replaces one."""


class KarpenterNodePool(Construct):
    """A NodePool, bounded by `limits.nodes`.

    The GPU limit would not hold a pool whose GPUs are shared, since it counts what registered nodes
    advertise. https://karpenter.sh/v1.14/concepts/nodepools/#speclimits; for pools without replicas
    see `addToNewNodeClaim` in https://github.com/kubernetes-sigs/karpenter
    (pkg/controllers/provisioning/scheduling/scheduler.go).
    """

    def __init__(self, scope: Construct, id: str, props: KarpenterNodePoolProps) -> None:
        super().__init__(scope, id)
        spec: dict[str, object] = {
            "template": _template(props.pool),
            "disruption": _disruption(_LIFECYCLES[props.pool.spec.purpose]),
            "limits": {"nodes": str(props.most)},
        }
        if props.replicas is not None:
            spec["replicas"] = props.replicas
        add_object(self, "karpenter.sh/v1", "NodePool", ObjectMeta(id), {"spec": spec})


def _template(pool: PlatformPool) -> dict[str, object]:
    lifecycle = _LIFECYCLES[pool.spec.purpose]
    spec: dict[str, object] = {
        "nodeClassRef": {
            "group": "karpenter.k8s.aws",
            "kind": "EC2NodeClass",
            "name": pool.name,
        },
        "requirements": _requirements(pool),
        "taints": taint_objects(pool.own_taints),
        "expireAfter": lifecycle.expire_after,
    }
    if lifecycle.termination_grace_period is not None:
        spec["terminationGracePeriod"] = lifecycle.termination_grace_period
    return {"metadata": {"labels": dict(pool.facts.labels)}, "spec": spec}


def _requirements(pool: PlatformPool) -> list[dict[str, object]]:
    requirements = [
        requirement("karpenter.sh/capacity-type", pool.spec.purchase.value),
        requirement("kubernetes.io/arch", pool.hardware.model.host_architecture),
        requirement("kubernetes.io/os", "linux"),
        requirement("node.kubernetes.io/instance-type", pool.instance_type),
    ]
    if pool.spec.zones:
        requirements.append(requirement("topology.kubernetes.io/zone", *pool.spec.zones))
    return requirements


def _disruption(lifecycle: Lifecycle) -> dict[str, object]:
    return {
        "consolidationPolicy": lifecycle.consolidation_policy,
        "consolidateAfter": lifecycle.consolidate_after,
        "budgets": [dict(budget) for budget in _BUDGETS],
    }


def _node_pools(pool: PlatformPool) -> Iterator[tuple[str, KarpenterNodePoolProps]]:
    """Yield the NodePool of the least size, and the one that grows beyond it.

    A NodePool keeps a fixed number of nodes or follows the pods, and cannot change over; hence two.
    """
    nodes = pool.spec.nodes
    if nodes.min > 0:
        # One node more lets a drifted one be replaced; without it drift waits for ever.
        props = KarpenterNodePoolProps(pool, replicas=nodes.min, most=nodes.min + 1)
        yield f"{pool.name}{MINIMUM_SUFFIX}", props
    if nodes.max > nodes.min:
        yield pool.name, KarpenterNodePoolProps(pool, replicas=None, most=nodes.max - nodes.min)


@dataclass(frozen=True, slots=True)
class KarpenterPoolsProps:
    """The pools of an EKS cluster, and what their machines follow from."""

    pools: tuple[PlatformPool, ...]
    eks: EksSettings
    kubernetes: KubernetesVersion
    driver_owner: DriverOwner


class KarpenterPools(Construct):
    """Every pool's NodePools, with what they refer to."""

    def __init__(self, scope: Construct, id: str, props: KarpenterPoolsProps) -> None:
        super().__init__(scope, id)
        for pool in props.pools:
            machine = Ec2NodeClassProps(pool, props.eks, props.kubernetes, props.driver_owner)
            Ec2NodeClass(self, f"machines-{pool.name}", machine)
            for name, node_pool in _node_pools(pool):
                KarpenterNodePool(self, name, node_pool)
            if pool.facts.sharing.kind is not SharingKind.NONE:
                KarpenterOverlay(self, f"overlay-{pool.name}", KarpenterOverlayProps(pool))
            if pool.spec.nodes.warm > 0:
                WarmNodes(self, f"warm-{pool.name}", WarmNodesProps(pool, NODE_POOLS_NAMESPACE))


def construct(platform: Platform) -> Callable[[Construct], object]:
    """Return what adds the NodePools, with what they refer to."""
    cluster = platform.cluster
    assert cluster.eks is not None  # noqa: S101 # checked when the file was read
    props = KarpenterPoolsProps(
        platform.pools, cluster.eks, cluster.kubernetes, platform.driver_owner
    )
    return lambda scope: KarpenterPools(scope, "karpenter", props)
