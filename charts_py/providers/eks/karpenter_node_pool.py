"""Karpenter's NodePools, which say what nodes there may be and when one may go."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.tolerations import taint_objects
from charts_py.platform.platform import PlatformPool
from charts_py.providers.eks.karpenter_names import MINIMUM_SUFFIX
from charts_py.providers.eks.karpenter_requirement import requirement
from charts_py.providers.eks.node_lifecycle import Lifecycle, lifecycle_of
from gpus.purchase import Purchase
from gpus.spot_labels import KARPENTER_CAPACITY_TYPE
from gpus.taint import Taint


def node_pools(pool: PlatformPool, startup_taints: tuple[Taint, ...] = ()) -> Iterator[Document]:
    """Yield the NodePool of the minimum size, and the one that grows beyond it.

    A NodePool keeps a fixed number of nodes or follows the pods, and cannot change over; hence two.
    """
    nodes, expiry = pool.spec.nodes, lifecycle_of(pool).expire_after
    if nodes.min > 0:
        # Nodes of one age would expire together, and take with them all that runs on the minimum.
        template = _template(pool, startup_taints, expire_after="Never")
        # One node more lets a drifted one be replaced; without it drift waits forever.
        name = f"{pool.name}{MINIMUM_SUFFIX}"
        yield _node_pool(pool, name, template, max_nodes=nodes.min + 1, replicas=nodes.min)
    if nodes.max > nodes.min:
        template = _template(pool, startup_taints, expire_after=expiry)
        yield _node_pool(pool, pool.name, template, max_nodes=nodes.max - nodes.min)


def _node_pool(
    pool: PlatformPool,
    name: str,
    template: Document,
    max_nodes: int,
    replicas: int | None = None,
) -> Document:
    """Return a NodePool, which keeps so many replicas or, without, follows the pods.

    Its limits bound it. Against `nodes`, Karpenter counts the nodes that there are, and not those
    that it starts at once for pods that came together: these it counts by what their instance type
    has, so that `cpu` says the same in CPUs. The GPU limit would not hold a pool whose GPUs are
    shared, since it counts what registered nodes advertise. With replicas, `nodes` is exact, and no
    other limit may be set.
    https://karpenter.sh/v1.14/concepts/nodepools/#speclimits; for pools without replicas see
    `addToNewNodeClaim` and `subtractMax` in https://github.com/kubernetes-sigs/karpenter at v1.15.0
    (pkg/controllers/provisioning/scheduling/scheduler.go).
    """
    spec: dict[str, object] = {
        "template": template,
        "disruption": _disruption(lifecycle_of(pool)),
        "limits": {"nodes": str(max_nodes)},
    }
    if replicas is None:
        spec["limits"] = {"cpu": str(max_nodes * pool.hardware.cpu), "nodes": str(max_nodes)}
    else:
        spec["replicas"] = replicas
    return object_of("karpenter.sh/v1", "NodePool", ObjectMeta(name), {"spec": spec})


def _template(pool: PlatformPool, startup_taints: tuple[Taint, ...], expire_after: str) -> Document:
    lifecycle = lifecycle_of(pool)
    spec: dict[str, object] = {
        "nodeClassRef": {
            "group": "karpenter.k8s.aws",
            "kind": "EC2NodeClass",
            "name": pool.name,
        },
        "requirements": _requirements(pool),
        "taints": taint_objects(pool.own_taints),
        "expireAfter": expire_after,
    }
    if startup_taints:
        spec["startupTaints"] = taint_objects(startup_taints)
    if lifecycle.termination_grace_period is not None:
        spec["terminationGracePeriod"] = lifecycle.termination_grace_period
    return {"metadata": {"labels": dict(pool.facts.labels)}, "spec": spec}


def _requirements(pool: PlatformPool) -> list[dict[str, object]]:
    requirements = [
        *_purchase(pool.spec.purchase),
        requirement("kubernetes.io/arch", pool.hardware.model.host_architecture),
        requirement("kubernetes.io/os", "linux"),
        requirement("node.kubernetes.io/instance-type", pool.instance_type),
    ]
    if pool.spec.zones:
        requirements.append(requirement("topology.kubernetes.io/zone", *pool.spec.zones))
    return requirements


def _purchase(purchase: Purchase) -> Iterator[dict[str, object]]:
    """Yield what makes Karpenter buy nodes in this way.

    https://karpenter.sh/v1.14/tasks/odcrs/
    """
    if purchase is Purchase.CAPACITY_BLOCK:
        yield requirement(KARPENTER_CAPACITY_TYPE, Purchase.RESERVED.value)
        yield requirement("karpenter.k8s.aws/capacity-reservation-type", purchase.value)
    else:
        yield requirement(KARPENTER_CAPACITY_TYPE, purchase.value)


def _disruption(lifecycle: Lifecycle) -> dict[str, object]:
    return {
        "consolidationPolicy": lifecycle.consolidation_policy,
        "consolidateAfter": lifecycle.consolidate_after,
        "budgets": [
            {"nodes": "100%", "reasons": ["Empty"]},
            {"nodes": str(lifecycle.replaced_at_once), "reasons": ["Drifted", "Underutilized"]},
        ],
    }
