"""AKS's agent pools as Azure Service Operator states them.

https://azure.github.io/azure-service-operator/reference/containerservice/
"""

from collections.abc import Iterator

from gpuplane.adoption.found_object import (
    FoundObject,
    Inventory,
    strings,
    texts,
    value_at,
    whole_number,
)
from gpuplane.adoption.pools.node_group import NodeGroup
from gpus.platform_names import POOL
from gpus.purchase import Purchase

KIND = "ManagedClustersAgentPool"


def agent_pools(inventory: Inventory) -> Iterator[NodeGroup]:
    """Yield what each agent pool states."""
    for found in inventory.of(KIND):
        labels = strings(found.spec, "nodeLabels")
        size, profile = found.spec.get("vmSize"), found.spec.get("gpuInstanceProfile")
        fixed = whole_number(found.spec.get("count"))
        bounds = [whole_number(found.spec.get(field)) for field in ("minCount", "maxCount")]
        yield NodeGroup(
            name=labels.get(POOL, str(found.spec.get("azureName") or found.name)),
            origins=(str(found),),
            labels=labels,
            taints=texts(found.spec, "nodeTaints"),
            instance_types=(size,) if isinstance(size, str) else (),
            purchases=(_purchase(found),),
            reservations=_reservations(found),
            zones=texts(found.spec, "availabilityZones"),
            min=fixed if bounds[0] is None else bounds[0],
            max=fixed if bounds[1] is None else bounds[1],
            max_pods=whole_number(found.spec.get("maxPods")),
            gpu_profile=profile if isinstance(profile, str) else None,
        )


def _purchase(found: FoundObject) -> Purchase:
    if found.spec.get("scaleSetPriority") == "Spot":
        return Purchase.SPOT
    return Purchase.RESERVED if _reservations(found) else Purchase.ON_DEMAND


def _reservations(found: FoundObject) -> tuple[str, ...]:
    group = value_at(found.spec, "capacityReservationGroupReference", "armId")
    return (group.rpartition("/")[2],) if isinstance(group, str) else ()
