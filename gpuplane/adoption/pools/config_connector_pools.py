"""GKE's node pools as Config Connector states them.

https://cloud.google.com/config-connector/docs/reference/resource-docs/container/containernodepool
"""

from collections.abc import Iterator

from charts_py.providers.gke.config_connector import KIND
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
from gpuplane.adoption.node_names import (
    GKE_ACCELERATOR,
    GKE_CLIENTS,
    GKE_PARTITION,
    GKE_SHARING,
    ZONE,
)
from gpuplane.adoption.pools.node_group import NodeGroup
from gpus.platform_names import POOL
from gpus.purchase import Purchase

_GPU_FIELDS = {
    ("type",): GKE_ACCELERATOR,
    ("gpuPartitionSize",): GKE_PARTITION,
    ("gpuSharingConfig", "gpuSharingStrategy"): GKE_SHARING,
    ("gpuSharingConfig", "maxSharedClientsPerGpu"): GKE_CLIENTS,
}
"""Fields of `guestAccelerator`, by the label that their values become on nodes."""


def config_connector_pools(inventory: Inventory) -> Iterator[NodeGroup]:
    """Yield what each ContainerNodePool states."""
    for found in inventory.of(KIND):
        config = mapping(found.spec, "nodeConfig")
        labels = strings(config, "labels")
        machine = config.get("machineType")
        smallest, largest = _size(found)
        yield NodeGroup(
            name=labels.get(POOL, str(found.spec.get("resourceID") or found.name)),
            origins=(str(found),),
            labels={**_gpu_labels(found), **labels},
            taints=taints_in(config, "taint"),
            instance_types=(machine,) if isinstance(machine, str) else (),
            purchases=tuple(_purchases(found)),
            reservations=_reservations(found),
            zones=texts(found.spec, "nodeLocations"),
            max_pods=whole_number(found.spec.get("maxPodsPerNode")),
            min=smallest,
            max=largest,
        )


def _gpu_labels(found: FoundObject) -> dict[str, str]:
    """Return the labels that GKE makes of how the GPUs are cut and shared."""
    accelerators = items(found.spec, "nodeConfig", "guestAccelerator")
    stated = {
        label: str(value_at(one, *path)).lower().replace("_", "-")
        for one in accelerators[:1]
        for path, label in _GPU_FIELDS.items()
        if value_at(one, *path) is not None
    }
    zones = texts(found.spec, "nodeLocations")
    return {**stated, **({ZONE: zones[0]} if len(zones) == 1 else {})}


def _purchases(found: FoundObject) -> Iterator[Purchase]:
    config = mapping(found.spec, "nodeConfig")
    if config.get("spot") is True or config.get("preemptible") is True:
        yield Purchase.SPOT
    elif _reservations(found):
        yield Purchase.RESERVED
    else:
        yield Purchase.ON_DEMAND


def _reservations(found: FoundObject) -> tuple[str, ...]:
    return texts(found.spec, "nodeConfig", "reservationAffinity", "values")


def _size(found: FoundObject) -> tuple[int | None, int | None]:
    """Return the bounds of all zones together; bounds of each zone count in every one."""
    bounds = mapping(found.spec, "autoscaling")
    total = [whole_number(bounds.get(f"total{one}NodeCount")) for one in ("Min", "Max")]
    each = [whole_number(bounds.get(f"{one}NodeCount")) for one in ("min", "max")]
    zones = max(1, len(texts(found.spec, "nodeLocations")))
    fixed = whole_number(found.spec.get("nodeCount"))
    smallest, largest = (
        whole if whole is not None else (by_zone * zones if by_zone is not None else fixed)
        for whole, by_zone in zip(total, each, strict=True)
    )
    return smallest, largest
