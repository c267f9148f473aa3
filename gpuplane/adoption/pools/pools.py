"""The pools of a cluster file."""

from collections.abc import Mapping
from dataclasses import dataclass

from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.found_node import FoundNode, has_gpus
from gpuplane.adoption.found_object import Inventory, strings
from gpuplane.adoption.pools.agent_pools import agent_pools
from gpuplane.adoption.pools.config_connector_pools import config_connector_pools
from gpuplane.adoption.pools.found_pool import FoundPool, found_pool
from gpuplane.adoption.pools.karpenter_pools import GROUP, karpenter_pools
from gpuplane.adoption.pools.node_feature_pools import node_feature_pools
from gpuplane.adoption.pools.node_group import NodeGroup, joined
from gpuplane.adoption.pools.pool_fields import pool_fields
from gpuplane.adoption.pools.pools_of_nodes import pools_of_nodes
from gpuplane.adoption.pools.sharing_config import SharingConfig
from gpus.catalog import Catalog
from gpus.platform_names import POOL
from gpus.provider import Provider


@dataclass(frozen=True, slots=True)
class FoundPools:
    """The groups of nodes of a cluster."""

    pools: tuple[FoundPool, ...]
    """Those with GPUs, sorted by name."""
    without_gpus: tuple[str, ...]
    """The names of the others, which gpuplane leaves as they are."""


def found_pools(
    inventory: Inventory,
    nodes: tuple[FoundNode, ...],
    provider: Provider,
    catalog: Catalog,
    config: SharingConfig,
) -> FoundPools:
    """Return all groups of nodes, from what makes nodes and from the nodes themselves."""
    groups = joined(
        (
            *karpenter_pools(inventory),
            *config_connector_pools(inventory),
            *agent_pools(inventory),
            *node_feature_pools(inventory),
            *pools_of_nodes(nodes, _renamed(inventory), catalog),
        )
    )
    with_gpus = [group for group in groups if _has_gpus(group, catalog)]
    return FoundPools(
        pools=tuple(found_pool(group, provider, catalog, config) for group in with_gpus),
        without_gpus=tuple(group.name for group in groups if group not in with_gpus),
    )


def _renamed(inventory: Inventory) -> Mapping[str, str]:
    """Return the pools of NodePools that a label gives another name."""
    labels = {
        found.name: strings(found.spec, "template", "metadata", "labels")
        for found in inventory.of("NodePool", GROUP)
    }
    return {name: found[POOL] for name, found in labels.items() if POOL in found}


def _has_gpus(group: NodeGroup, catalog: Catalog) -> bool:
    known = {name for types in catalog.instance_types.values() for name in types}
    tainted = {vendor.taint_key for vendor in catalog.vendors.values()}
    return (
        has_gpus(group.labels, group.capacity, catalog)
        or bool(known & {*group.instance_types})
        or bool(tainted & {taint.partition("=")[0] for taint in group.taints})
    )


def pools_fields(found: FoundPools, provider: Provider) -> dict[str, Commented]:
    """Return the pools of the cluster file by name."""
    models = [pool.model for pool in found.pools]
    return {
        pool.group.name: pool_fields(
            pool,
            provider,
            names_machines=not PROVIDERS[provider].makes_nodes and models.count(pool.model) > 1,
        )
        for pool in found.pools
    }
