"""Karpenter's NodePools, which say what nodes there may be and when one may go."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.tolerations import taint_objects
from charts_py.platform.platform import PlatformPool
from charts_py.providers.eks.karpenter_names import MINIMUM_SUFFIX
from charts_py.providers.eks.karpenter_requirement import requirement
from charts_py.spec.pool import Purpose
from gpus.purchase import Purchase
from gpus.spot_labels import KARPENTER_CAPACITY_TYPE
from gpus.taint import Taint


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """When Karpenter may take a node away, in the format of its NodePool.

    Budgets hold back consolidation and drift, and nothing else. A pod that says
    `karpenter.sh/do-not-disrupt` holds back both of them, and any drain, but only up to the grace
    period. Expiry drains a node whatever the budgets say, and before another is there.
    https://karpenter.sh/v1.14/concepts/disruption/
    """

    consolidation_policy: str
    consolidate_after: str
    expire_after: str
    """Of the nodes beyond the minimum size; those of the minimum never expire."""
    termination_grace_period: str | None
    """How long pods can hold up a drain; None: without limit."""
    drifted_at_once: int = 1
    """How many nodes may go at once that are not as their pool says now, such as of an older image,
    or are barely used; 0 leaves them until they are empty, or a person takes them away."""


# Training runs lose hours with one node, so a node goes only when it is empty.
_LIFECYCLES: Mapping[Purpose, Lifecycle] = {
    Purpose.TRAINING: Lifecycle("WhenEmpty", "30m", "Never", None, drifted_at_once=0),
    Purpose.BATCH: Lifecycle("WhenEmpty", "5m", "720h", "6h"),
    Purpose.NOTEBOOKS: Lifecycle("WhenEmpty", "30m", "720h", "12h"),
    Purpose.INFERENCE: Lifecycle("WhenEmptyOrUnderutilized", "10m", "720h", "1h"),
}


def _lifecycle(pool: PlatformPool) -> Lifecycle:
    """Return when nodes may go, as the purpose says.

    Those of a capacity block are paid until it ends, so they stay until Karpenter drains them, 40
    minutes before. Pods have 10 of these to save what they did: EC2 then takes the machines.
    https://github.com/aws/karpenter-provider-aws (designs/capacity-block-support.md)
    """
    lifecycle = _LIFECYCLES[pool.spec.purpose]
    if pool.spec.purchase is not Purchase.CAPACITY_BLOCK:
        return lifecycle
    return replace(
        lifecycle,
        consolidation_policy="WhenEmpty",
        consolidate_after="Never",
        expire_after="Never",
        termination_grace_period="10m",
        drifted_at_once=0,
    )


def node_pools(pool: PlatformPool, startup_taints: tuple[Taint, ...] = ()) -> Iterator[Document]:
    """Yield the NodePool of the minimum size, and the one that grows beyond it.

    A NodePool keeps a fixed number of nodes or follows the pods, and cannot change over; hence two.
    """
    nodes, expiry = pool.spec.nodes, _lifecycle(pool).expire_after
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
        "disruption": _disruption(_lifecycle(pool)),
        "limits": {"nodes": str(max_nodes)},
    }
    if replicas is None:
        spec["limits"] = {"cpu": str(max_nodes * pool.hardware.cpu), "nodes": str(max_nodes)}
    else:
        spec["replicas"] = replicas
    return object_of("karpenter.sh/v1", "NodePool", ObjectMeta(name), {"spec": spec})


def _template(pool: PlatformPool, startup_taints: tuple[Taint, ...], expire_after: str) -> Document:
    lifecycle = _lifecycle(pool)
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
            {"nodes": str(lifecycle.drifted_at_once), "reasons": ["Drifted", "Underutilized"]},
        ],
    }
