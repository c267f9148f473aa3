"""Node pools on EKS that Karpenter makes nodes for.

Three of its features are alpha and off by default in 1.14; the clusters' Karpenter must run with
those gates that its pools need (https://karpenter.sh/v1.14/reference/settings/#feature-gates):
`StaticCapacity` where a pool has a minimum size, `CapacityBuffer` where it keeps warm nodes, and
`NodeOverlay` where its GPUs are shared.

With its `PREFERENCE_POLICY` at `Respect`, the default, it takes what pods prefer for what they
require as long as it may start nodes. The replicas of an inference service prefer a node each
(`policies/rules/replica_spread.py`), so that each would start one, and none would ever be taken
away. With `Ignore` the scheduler still spreads them, over the nodes that are there.
https://karpenter.sh/v1.14/reference/settings/
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from charts_py.cluster_file.pool import NodeRange, Pool, Purpose
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import taint_objects
from charts_py.platform.name_rule import label_value_rule
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.registry_mirrors import RegistryMirrors
from charts_py.platform.wave import CONFIRMED_REMOVAL
from charts_py.providers.eks.ec2 import (
    ROOT_VOLUME_GIB,
    NodeImage,
    joins_local_disks,
    network_interfaces,
    node_image,
)
from charts_py.providers.eks.node_config import JOINED, node_config
from charts_py.providers.placeholder import PREFIX, placed_on, placeholder_container, whole_node
from gpus.catalog import load_catalog
from gpus.platform_names import MAX_LABEL_VALUE, POOL
from gpus.purchase import KARPENTER_CAPACITY_TYPE, Purchase
from gpus.sharing import SharingKind
from gpus.taint import Taint

MINIMUM_SUFFIX = ".minimum"
"""Ends the name of the NodePool that holds a minimum size; no pool's name has a dot in it."""
NAME_WITH_MINIMUM = label_value_rule(
    "a Karpenter NodePool with a minimum size", MAX_LABEL_VALUE - len(MINIMUM_SUFFIX)
)
"""Names of pools whose NodePool gets the suffix
(https://karpenter.sh/v1.14/concepts/scheduling/#labels: `karpenter.sh/nodepool`)."""


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
    """Nodes beyond the minimum size expire after this; those of the minimum never do."""
    termination_grace_period: str | None
    """How long pods can hold up a drain; None: without limit."""
    replaced_at_once: int = 1
    """How many nodes may go at once that are not as their pool says now, such as of an older image,
    or are barely used; 0 leaves them until they are empty, or a person takes them away."""


# Training runs lose hours with one node, so a node goes only when it is empty.
LIFECYCLES: Mapping[Purpose, Lifecycle] = {
    Purpose.TRAINING: Lifecycle("WhenEmpty", "30m", "Never", None, replaced_at_once=0),
    Purpose.BATCH: Lifecycle("WhenEmpty", "5m", "720h", "6h"),
    Purpose.NOTEBOOKS: Lifecycle("WhenEmpty", "30m", "720h", "12h"),
    Purpose.INFERENCE: Lifecycle("WhenEmptyOrUnderutilized", "10m", "720h", "1h"),
}
# A hop limit of 1 keeps pods away from the node's credentials.
# https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html
_METADATA_OPTIONS = {
    "httpEndpoint": "enabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}


def karpenter_pools(platform: Platform) -> Iterator[Document]:
    for pool in platform.pools:
        yield ec2_node_class(pool, platform)
        yield from node_pools(pool, platform.contribution.startup_taints.get(pool.name, ()))
        if pool.facts.sharing.kind is not SharingKind.NONE:
            yield node_overlay(pool)
        if pool.spec.nodes.warm > 0:
            yield from warm_nodes(pool, platform.mirrors)


def requirement(key: str, *values: str) -> dict[str, object]:
    return {"key": key, "operator": "In", "values": list(values)}


def _lifecycle_of(pool: PlatformPool) -> Lifecycle:
    """Return when nodes may go, as the purpose says.

    Those of a capacity block are paid until it ends, so they stay until Karpenter drains them, 40
    minutes before. Pods have 10 of these to save what they did: EC2 then takes the machines.
    https://github.com/aws/karpenter-provider-aws (designs/capacity-block-support.md)
    """
    lifecycle = LIFECYCLES[pool.spec.purpose]
    if pool.spec.purchase is not Purchase.CAPACITY_BLOCK:
        return lifecycle
    return replace(
        lifecycle,
        consolidation_policy="WhenEmpty",
        consolidate_after="Never",
        expire_after="Never",
        termination_grace_period="10m",
        replaced_at_once=0,
    )


def node_pool_names(pool: str, nodes: NodeRange) -> tuple[str, ...]:
    """Return the names of the NodePool of the minimum size, and of that which grows beyond it."""
    kept = (f"{pool}{MINIMUM_SUFFIX}",) if nodes.min > 0 else ()
    return (*kept, pool) if nodes.max > nodes.min else kept


def node_pools(pool: PlatformPool, startup_taints: tuple[Taint, ...] = ()) -> Iterator[Document]:
    """Yield the NodePool of the minimum size, and the one that grows beyond it.

    A NodePool keeps a fixed number of nodes or follows the pods, and cannot change over; hence two.
    """
    nodes, expiry = pool.spec.nodes, _lifecycle_of(pool).expire_after
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
    pool: PlatformPool, name: str, template: Document, max_nodes: int, replicas: int | None = None
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
        "disruption": _disruption(_lifecycle_of(pool)),
        "limits": {"nodes": str(max_nodes)},
    }
    if replicas is None:
        cpu = max(pool.hardware.cpu, *(one.cpu for one in pool.hardware.larger), 0)
        spec["limits"] = {"cpu": str(max_nodes * cpu), "nodes": str(max_nodes)}
    else:
        spec["replicas"] = replicas
    metadata = ObjectMeta(name, annotations=CONFIRMED_REMOVAL)
    return object_of("karpenter.sh/v1", "NodePool", metadata, {"spec": spec})


def _template(pool: PlatformPool, startup_taints: tuple[Taint, ...], expire_after: str) -> Document:
    lifecycle = _lifecycle_of(pool)
    spec: dict[str, object] = {
        "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": pool.name},
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
        *_purchase(pool.spec),
        requirement("kubernetes.io/arch", pool.hardware.model.host_architecture),
        requirement("kubernetes.io/os", "linux"),
        requirement("node.kubernetes.io/instance-type", *pool.instance_types),
    ]
    if pool.spec.zones:
        requirements.append(requirement("topology.kubernetes.io/zone", *pool.spec.zones))
    return requirements


def _purchase(pool: Pool) -> Iterator[dict[str, object]]:
    """Yield what makes Karpenter buy nodes in this way.

    https://karpenter.sh/v1.14/tasks/odcrs/
    """
    purchase = pool.purchase
    if purchase is Purchase.CAPACITY_BLOCK:
        yield requirement(KARPENTER_CAPACITY_TYPE, Purchase.RESERVED.value)
        yield requirement("karpenter.k8s.aws/capacity-reservation-type", purchase.value)
    else:
        # Karpenter takes what is reserved first, then spot.
        instead = (Purchase.ON_DEMAND.value,) if pool.on_demand_fallback else ()
        yield requirement(KARPENTER_CAPACITY_TYPE, purchase.value, *instead)


def _disruption(lifecycle: Lifecycle) -> dict[str, object]:
    return {
        "consolidationPolicy": lifecycle.consolidation_policy,
        "consolidateAfter": lifecycle.consolidate_after,
        "budgets": [
            {"nodes": "100%", "reasons": ["Empty"]},
            {"nodes": str(lifecycle.replaced_at_once), "reasons": ["Drifted", "Underutilized"]},
        ],
    }


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
    metadata = ObjectMeta(f"{PREFIX}{pool.name}", namespace=NODE_POOLS_NAMESPACE)
    held, cpu = whole_node(pool.facts.resources), str(pool.hardware.cpu // 2)
    container = placeholder_container("placeholder", held, cpu, mirrors)
    template = {"spec": {**placed_on(pool), "containers": [container]}}
    yield object_of("v1", "PodTemplate", metadata, {"template": template})
    spec = {
        "provisioningStrategy": "buffer.x-k8s.io/active-capacity",
        "podTemplateRef": {"name": metadata.name},
        "replicas": pool.spec.nodes.warm,
    }
    yield object_of("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", metadata, {"spec": spec})


def ec2_node_class(pool: PlatformPool, platform: Platform) -> Document:
    eks, architecture = platform.cluster.eks, pool.hardware.model.host_architecture
    assert eks is not None  # noqa: S101 # checked when the file was read
    image = node_image(platform, architecture)
    discovery = {"karpenter.sh/discovery": eks.cluster_name}
    spec: dict[str, object] = {
        **image.selection,
        "role": eks.node_role,
        "subnetSelectorTerms": [{"tags": discovery}],
        "securityGroupSelectorTerms": [{"tags": discovery}],
        "kubelet": {"maxPods": pool.max_pods},
        "blockDeviceMappings": [_root_volume(image)],
        "metadataOptions": _METADATA_OPTIONS,
        "tags": {POOL: pool.name},
    }
    if pool.spec.reservation is not None:
        spec["capacityReservationSelectorTerms"] = [{"id": pool.spec.reservation}]
    if interfaces := network_interfaces(pool.hardware):
        spec["networkInterfaces"] = interfaces
    if joins_local_disks(pool.hardware, platform.driver_owner):
        spec["instanceStorePolicy"] = JOINED
    if config := node_config(pool.spec.numa):
        spec["userData"] = config
    metadata = ObjectMeta(pool.name, annotations=CONFIRMED_REMOVAL)
    return object_of("karpenter.k8s.aws/v1", "EC2NodeClass", metadata, {"spec": spec})


def _root_volume(image: NodeImage) -> dict[str, object]:
    volume = {
        "volumeSize": f"{ROOT_VOLUME_GIB}Gi",
        "volumeType": "gp3",
        "encrypted": True,
        "deleteOnTermination": True,
    }
    return {"deviceName": image.root_device, "rootVolume": True, "ebs": volume}
