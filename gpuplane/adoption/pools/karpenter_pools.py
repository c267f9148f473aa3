"""Karpenter's NodePools (https://karpenter.sh/docs/concepts/nodepools/)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gpuplane.adoption.found_node import taints_in
from gpuplane.adoption.found_object import (
    FoundObject,
    Inventory,
    items,
    mapping,
    strings,
    texts,
    value_at,
    whole_number,
)
from gpuplane.adoption.node_names import INSTANCE_TYPE, PURCHASE_OF_LABEL, ZONE
from gpuplane.adoption.pools.node_group import NodeGroup
from gpus.platform_names import POOL
from gpus.purchase import KARPENTER_CAPACITY_TYPE, Purchase

GROUP = "karpenter.sh"
NODE_CLASS_GROUP = "karpenter.k8s.aws"
_RESERVATION_TYPE = "karpenter.k8s.aws/capacity-reservation-type"

_CARRIED = (
    *(INSTANCE_TYPE, ZONE, KARPENTER_CAPACITY_TYPE, _RESERVATION_TYPE),
    *("kubernetes.io/arch", "kubernetes.io/os"),
)
"""Keys of requirements that a pool states, or that follow from its instance type."""


def karpenter_pools(inventory: Inventory) -> Iterator[NodeGroup]:
    """Yield what each NodePool states, and the nodes that CapacityBuffers keep idle."""
    classes = {found.name: found for found in inventory.of("EC2NodeClass", NODE_CLASS_GROUP)}
    for found in inventory.of("NodePool", GROUP):
        yield _group(found, classes)
    yield from _warm(inventory)


def _group(found: FoundObject, classes: Mapping[str, FoundObject]) -> NodeGroup:
    template = mapping(found.spec, "template")
    labels = strings(template, "metadata", "labels")
    required = _requirements(template)
    smallest, largest = _size(found)
    group = NodeGroup(
        name=labels.get(POOL, found.name),
        origins=(str(found),),
        labels=labels,
        taints=taints_in(mapping(template, "spec")),
        instance_types=required.get(INSTANCE_TYPE, ()),
        purchases=_purchases(required),
        zones=required.get(ZONE, ()),
        notes=tuple(_notes(found, template)),
        min=smallest,
        max=largest,
        limits=strings(found.spec, "limits"),
    )
    node_class = classes.get(str(value_at(template, "spec", "nodeClassRef", "name")))
    return group if node_class is None else _with_class(group, node_class)


def _requirements(template: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    return {
        str(one.get("key")): texts(one, "values")
        for one in items(template, "spec", "requirements")
        if one.get("operator") == "In"
    }


def _purchases(required: Mapping[str, tuple[str, ...]]) -> tuple[Purchase, ...]:
    if Purchase.CAPACITY_BLOCK.value in required.get(_RESERVATION_TYPE, ()):
        return (Purchase.CAPACITY_BLOCK,)
    wanted = ((KARPENTER_CAPACITY_TYPE, one) for one in required.get(KARPENTER_CAPACITY_TYPE, ()))
    return tuple(PURCHASE_OF_LABEL[one] for one in wanted if one in PURCHASE_OF_LABEL)


def _size(found: FoundObject) -> tuple[int | None, int | None]:
    """Return the bounds; a NodePool with replicas holds a minimum, without its spare node."""
    replicas = whole_number(found.spec.get("replicas"))
    limit = whole_number(value_at(found.spec, "limits", "nodes"))
    return replicas, limit if replicas is None else replicas


def _notes(found: FoundObject, template: Mapping[str, object]) -> Iterator[str]:
    for one in items(template, "spec", "requirements"):
        if one.get("operator") != "In" or one.get("key") not in _CARRIED:
            shown = " ".join([str(one.get("key")), str(one.get("operator")), *texts(one, "values")])
            yield f"not carried over: requirement {shown} of {found}"
    group = value_at(template, "spec", "nodeClassRef", "group")
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
        max_pods=whole_number(value_at(found.spec, "kubelet", "maxPods")),
        notes=(*group.notes, *((by_tag,) if len(named) < len(terms) else ())),
    )


def _warm(inventory: Inventory) -> Iterator[NodeGroup]:
    templates = {(found.namespace, found.name): found for found in inventory.of("PodTemplate", "")}
    for found in inventory.of("CapacityBuffer"):
        name = str(value_at(found.spec, "podTemplateRef", "name"))
        template = templates.get((found.namespace, name))
        pool = template and value_at(template.document, "template", "spec", "nodeSelector", POOL)
        if isinstance(pool, str):
            warm = whole_number(found.spec.get("replicas"))
            yield NodeGroup(pool, (str(found),), warm=warm)
