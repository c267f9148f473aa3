"""Node pools as the objects that make nodes state them.

AKS: https://azure.github.io/azure-service-operator/reference/containerservice/
GKE: https://cloud.google.com/config-connector/docs/reference/resource-docs/container/containernodepool
Karpenter: https://karpenter.sh/docs/concepts/nodepools/
NodeFeatureRules of gpuplane label machines that are there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from charts_py.cluster_file.pool import Numa
from charts_py.providers.eks.node_config import node_config
from charts_py.providers.gke.config_connector import KIND
from charts_py.providers.gke.definition import GKE
from charts_py.providers.numa import numa_settings
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.karpenter_machines import KNOWN, gpu_machines
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.nodes import (
    GKE_ACCELERATOR,
    GKE_CLIENTS,
    GKE_PARTITION,
    GKE_SHARING,
    INSTANCE_TYPE,
    PURCHASE_OF_LABEL,
    ZONE,
    taints_in,
)
from gpuplane.adoption.values import items, mapping, strings, texts, whole_number
from gpus.catalog import Catalog
from gpus.platform_names import POOL
from gpus.purchase import KARPENTER_CAPACITY_TYPE, Purchase
from policies.document import text, value_at

_GPU_FIELDS = {
    ("type",): GKE_ACCELERATOR,
    ("gpuPartitionSize",): GKE_PARTITION,
    ("gpuSharingConfig", "gpuSharingStrategy"): GKE_SHARING,
    ("gpuSharingConfig", "maxSharedClientsPerGpu"): GKE_CLIENTS,
}
"""Fields of `guestAccelerator`, by the label that their values become on nodes."""
GROUP = "karpenter.sh"
NODE_CLASS_GROUP = "karpenter.k8s.aws"
_RESERVATION_TYPE = "karpenter.k8s.aws/capacity-reservation-type"
_CARRIED = (
    INSTANCE_TYPE,
    ZONE,
    KARPENTER_CAPACITY_TYPE,
    _RESERVATION_TYPE,
    "kubernetes.io/arch",
    "kubernetes.io/os",
)
"""Keys of requirements that a pool states, or that follow from its instance type."""
_AGENT_POOL = "ManagedClustersAgentPool"

_OF_CLASS = (
    *("blockDeviceMappings", "subnetSelectorTerms", "securityGroupSelectorTerms", "userData"),
    *("amiSelectorTerms", "instanceStorePolicy", "networkInterfaces", "metadataOptions", "tags"),
)
_OF_AGENT_POOL = (
    *("osDiskSizeGB", "osDiskType", "vnetSubnetReference", "podSubnetReference", "osSKU"),
    *("enableEncryptionAtHost", "proximityPlacementGroupReference", "linuxOSConfig"),
    "kubeletConfig",
)
_OF_NODE_POOL = (
    *("diskSizeGb", "diskType", "serviceAccountRef", "networkConfig", "oauthScopes", "imageType"),
    *("placementPolicy", "upgradeSettings", "tags"),
)
"""Fields that gpuplane sets by itself, or leaves to the provider: what they said is lost."""


def left_out(
    found: FoundObject, stated: Mapping[str, Any], fields: tuple[str, ...]
) -> Iterator[str]:
    """Yield a note with the fields of an object that no pool has, but for its own objects."""
    named = [name for name in fields if stated.get(name)]
    is_own = POOL in {**strings(found.spec, "tags"), **strings(found.spec, "nodeLabels")} or (
        POOL in strings(found.spec, "nodeConfig", "labels")
    )
    if named and not is_own:
        yield f"not carried over: {', '.join(named)} of {found}; gpuplane sets its own"


def agent_pools(inventory: Inventory) -> Iterator[NodeGroup]:
    for found in inventory.of(_AGENT_POOL):
        labels = strings(found.spec, "nodeLabels")
        size, profile = (text(found.spec.get(name)) for name in ("vmSize", "gpuInstanceProfile"))
        fixed = whole_number(found.spec.get("count"))
        bounds = [whole_number(found.spec.get(field)) for field in ("minCount", "maxCount")]
        reservation = text(value_at(found.spec, ("capacityReservationGroupReference", "armId")))
        reserved = (reservation.rpartition("/")[2],) if reservation else ()
        is_spot = found.spec.get("scaleSetPriority") == "Spot"
        numa, others = _numa(mapping(found.spec, "kubeletConfig"))
        yield NodeGroup(
            name=labels.get(POOL, str(found.spec.get("azureName") or found.name)),
            origins=(str(found),),
            labels=labels,
            taints=texts(found.spec, "nodeTaints"),
            instance_types=(size,) if size else (),
            purchases=(_purchase(reserved, is_spot=is_spot),),
            reservations=reserved,
            zones=texts(found.spec, "availabilityZones"),
            min=fixed if bounds[0] is None else bounds[0],
            max=fixed if bounds[1] is None else bounds[1],
            max_pods=whole_number(found.spec.get("maxPods")),
            numa=numa,
            gpu_profile=profile or None,
            notes=tuple(left_out(found, {**found.spec, "kubeletConfig": others}, _OF_AGENT_POOL)),
        )


def _numa(kubelet: Mapping[str, Any]) -> tuple[Numa | None, dict[str, Any]]:
    """Return what a pool can say of its kubelets, and their other settings."""
    for numa in Numa:
        if (stated := numa_settings(numa)).items() <= kubelet.items():
            return numa, {key: value for key, value in kubelet.items() if key not in stated}
    return None, dict(kubelet)


def _purchase(reserved: tuple[str, ...], *, is_spot: bool) -> Purchase:
    if is_spot:
        return Purchase.SPOT
    return Purchase.RESERVED if reserved else Purchase.ON_DEMAND


def config_connector_pools(inventory: Inventory) -> Iterator[NodeGroup]:
    for found in inventory.of(KIND):
        config = mapping(found.spec, "nodeConfig")
        labels = strings(config, "labels")
        machine = text(config.get("machineType"))
        smallest, largest = _gke_size(found)
        reserved = texts(config, "reservationAffinity", "values")
        is_spot = config.get("spot") is True or config.get("preemptible") is True
        # GKE taints these nodes itself, and sells them as flex-start with queued provisioning.
        is_queued = value_at(found.spec, ("queuedProvisioning", "enabled")) is True
        queued = (str(GKE.taints.queued),) if is_queued else ()
        yield NodeGroup(
            name=labels.get(POOL, str(found.spec.get("resourceID") or found.name)),
            origins=(str(found),),
            labels={**_gpu_labels(found), **labels},
            taints=(*taints_in(config, "taint"), *queued),
            instance_types=(machine,) if machine else (),
            purchases=(Purchase.FLEX_START if queued else _purchase(reserved, is_spot=is_spot),),
            reservations=reserved,
            zones=texts(found.spec, "nodeLocations"),
            max_pods=whole_number(found.spec.get("maxPodsPerNode")),
            min=smallest,
            max=largest,
            notes=tuple(left_out(found, {**found.spec, **config}, _OF_NODE_POOL)),
        )


def _gpu_labels(found: FoundObject) -> dict[str, str]:
    """Return the labels that GKE makes of how the GPUs are cut and shared."""
    accelerators = items(found.spec, "nodeConfig", "guestAccelerator")
    stated = {
        label: str(value_at(one, path)).lower().replace("_", "-")
        for one in accelerators[:1]
        for path, label in _GPU_FIELDS.items()
        if value_at(one, path) is not None
    }
    zones = texts(found.spec, "nodeLocations")
    return {**stated, **({ZONE: zones[0]} if len(zones) == 1 else {})}


def _gke_size(found: FoundObject) -> tuple[int | None, int | None]:
    """Return the bounds of all zones together; bounds of each zone count in every one."""
    bounds = mapping(found.spec, "autoscaling")
    total = [whole_number(bounds.get(f"total{one}NodeCount")) for one in ("Min", "Max")]
    each = [whole_number(bounds.get(f"{one}NodeCount")) for one in ("min", "max")]
    zones = max(1, len(texts(found.spec, "nodeLocations")))
    fixed = whole_number(found.spec.get("nodeCount"))
    by_zone = [fixed if one is None else one * zones for one in each]
    smallest, largest = (
        one if whole is None else whole for whole, one in zip(total, by_zone, strict=True)
    )
    return smallest, largest


def node_feature_pools(inventory: Inventory) -> Iterator[NodeGroup]:
    """Yield what each rule that names a pool says of it; other rules make no pool."""
    for found in inventory.of("NodeFeatureRule"):
        for rule in items(found.spec, "rules"):
            labels = strings(rule, "labels")
            if POOL in labels:
                hostnames = tuple(_hostnames(rule))
                yield NodeGroup(labels[POOL], (str(found),), labels=labels, hostnames=hostnames)


def _hostnames(rule: Mapping[str, Any]) -> Iterator[str]:
    for one in items(rule, "matchFeatures"):
        if one.get("feature") == "system.name":
            yield from texts(one, "matchExpressions", "nodename", "value")


def karpenter_pools(inventory: Inventory, catalog: Catalog) -> Iterator[NodeGroup]:
    """Yield what each NodePool states, and the nodes that CapacityBuffers keep idle.

    One that allows several GPUs is a group for each model and number of them.
    """
    classes = {found.name: found for found in inventory.of("EC2NodeClass", NODE_CLASS_GROUP)}
    for found in inventory.of("NodePool", GROUP):
        yield from _by_gpus(_group(found, classes), found, catalog)
    yield from _warm(inventory)


def _group(found: FoundObject, classes: Mapping[str, FoundObject]) -> NodeGroup:
    template = mapping(found.spec, "template")
    labels = strings(template, "metadata", "labels")
    required = _requirements(template)
    # A NodePool with replicas holds a minimum, without its spare node.
    replicas = whole_number(found.spec.get("replicas"))
    limit = whole_number(value_at(found.spec, ("limits", "nodes")))
    group = NodeGroup(
        name=labels.get(POOL, found.name),
        origins=(str(found),),
        labels=labels,
        taints=taints_in(mapping(template, "spec")),
        instance_types=required.get(INSTANCE_TYPE, ()),
        purchases=_karpenter_purchases(required),
        zones=required.get(ZONE, ()),
        notes=tuple(_notes(found, template)),
        min=replicas,
        max=limit if replicas is None else replicas,
        limits=strings(found.spec, "limits"),
    )
    node_class = classes.get(str(value_at(template, ("spec", "nodeClassRef", "name"))))
    return group if node_class is None else _with_class(group, node_class)


def _by_gpus(group: NodeGroup, found: FoundObject, catalog: Catalog) -> Iterator[NodeGroup]:
    stated = items(found.spec, "template", "spec", "requirements")
    allowed = gpu_machines(stated, catalog)
    families = [catalog.model(gpu).family for gpu, _ in allowed]
    for (gpu, gpus), machines in allowed.items():
        types = tuple(one.name for one in machines)
        if len(allowed) == 1:
            yield replace(group, instance_types=group.instance_types or types)
            continue
        family = catalog.model(gpu).family
        name = family if families.count(family) == 1 else f"{family}-{gpus}"
        kinds = f"{found} allows {len(allowed)} kinds of nodes, a pool each"
        yield replace(
            group,
            name=f"{group.name}-{name}",
            instance_types=types,
            made_by=group.name,
            notes=(*group.notes, f"{kinds}; its limits hold for all of them together"),
        )
    if not allowed:
        yield group


def _requirements(template: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    return {
        str(one.get("key")): texts(one, "values")
        for one in items(template, "spec", "requirements")
        if one.get("operator") == "In"
    }


def _karpenter_purchases(required: Mapping[str, tuple[str, ...]]) -> tuple[Purchase, ...]:
    if Purchase.CAPACITY_BLOCK.value in required.get(_RESERVATION_TYPE, ()):
        return (Purchase.CAPACITY_BLOCK,)
    wanted = ((KARPENTER_CAPACITY_TYPE, one) for one in required.get(KARPENTER_CAPACITY_TYPE, ()))
    return tuple(PURCHASE_OF_LABEL[one] for one in wanted if one in PURCHASE_OF_LABEL)


def _notes(found: FoundObject, template: Mapping[str, object]) -> Iterator[str]:
    for one in items(template, "spec", "requirements"):
        key = str(one.get("key"))
        if key not in KNOWN and (one.get("operator") != "In" or key not in _CARRIED):
            shown = " ".join([key, str(one.get("operator")), *texts(one, "values")])
            yield f"not carried over: requirement {shown} of {found}"
    labels = strings(template, "metadata", "labels").items()
    foreign = [f"{key}={one}" for key, one in labels if "kubernetes.io/" in key or "k8s.io/" in key]
    if foreign:
        shown = ", ".join(foreign)
        yield f"not carried over: labels {shown} of {found}, whose domain is Kubernetes' own"
    if POOL not in dict(labels):
        yield from left_out(found, found.spec, ("disruption", "weight"))
    group = value_at(template, ("spec", "nodeClassRef", "group"))
    if group != NODE_CLASS_GROUP:
        yield f"{found} takes its nodes from {group}, which gpuplane does not write"


def _with_class(group: NodeGroup, found: FoundObject) -> NodeGroup:
    terms = items(found.spec, "capacityReservationSelectorTerms")
    named = tuple(str(term["id"]) for term in terms if "id" in term)
    by_tag = f"not carried over: reservations that {found} selects by tags or owner; name one"
    return replace(
        group,
        origins=(*group.origins, str(found)),
        reservations=named,
        max_pods=whole_number(value_at(found.spec, ("kubelet", "maxPods"))),
        numa={node_config(one): one for one in Numa}.get(text(found.spec.get("userData"))),
        notes=(
            *group.notes,
            *((by_tag,) if len(named) < len(terms) else ()),
            *left_out(found, found.spec, _OF_CLASS),
        ),
    )


def _warm(inventory: Inventory) -> Iterator[NodeGroup]:
    templates = {(found.namespace, found.name): found for found in inventory.of("PodTemplate", "")}
    for found in inventory.of("CapacityBuffer"):
        name = str(value_at(found.spec, ("podTemplateRef", "name")))
        template = templates.get((found.namespace, name))
        pool = template and value_at(template.document, ("template", "spec", "nodeSelector", POOL))
        if isinstance(pool, str):
            warm = whole_number(found.spec.get("replicas"))
            yield NodeGroup(pool, (str(found),), warm=warm)
