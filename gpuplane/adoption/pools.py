"""The pools of a cluster file, from the objects that make nodes and from the nodes themselves."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.found_object import Inventory
from gpuplane.adoption.found_pool import FoundPool, found_pool, pool_fields
from gpuplane.adoption.node_group import NodeGroup, joined
from gpuplane.adoption.nodes import GPU_LABELS, PURCHASE_OF_LABEL, FoundNode, has_gpus, known_model
from gpuplane.adoption.sharing import SharingConfig
from gpuplane.adoption.stated_pools import (
    GROUP,
    agent_pools,
    config_connector_pools,
    karpenter_pools,
    node_feature_pools,
)
from gpuplane.adoption.values import strings
from gpus.catalog import Catalog
from gpus.platform_names import POOL
from gpus.provider import Provider
from gpus.purchase import Purchase

_ALIKE = (
    *GPU_LABELS[1:],
    "nvidia.com/mig.config",
    "nvidia.com/device-plugin.config",
    "nvidia.com/gpu.count",
)
"""Labels that are equal on all nodes of a pool, where no label names a pool."""


def found_pools(
    inventory: Inventory,
    nodes: tuple[FoundNode, ...],
    provider: Provider,
    catalog: Catalog,
    config: SharingConfig,
) -> tuple[list[FoundPool], list[str]]:
    """Return the pools with GPUs, sorted by name, and the names of the other groups of nodes."""
    by_karpenter = tuple(karpenter_pools(inventory, catalog))
    groups = joined(
        (
            *by_karpenter,
            *config_connector_pools(inventory),
            *agent_pools(inventory),
            *node_feature_pools(inventory),
            *pools_of_nodes(nodes, _renamed(inventory, by_karpenter), catalog),
        )
    )
    with_gpus = [group for group in groups if _has_gpus(group, catalog)]
    others = [group.name for group in groups if group not in with_gpus]
    return [found_pool(group, provider, catalog, config) for group in with_gpus], others


def _renamed(
    inventory: Inventory, by_karpenter: Iterable[NodeGroup]
) -> Mapping[tuple[str, str | None], str]:
    """Return names of pools by those of NodePools and instance types, of any where that is None."""
    labels = {
        found.name: strings(found.spec, "template", "metadata", "labels")
        for found in inventory.of("NodePool", GROUP)
    }
    split: dict[tuple[str, str | None], str] = {
        (group.made_by, machine): group.name
        for group in by_karpenter
        if group.made_by is not None
        for machine in group.instance_types
    }
    return {**split, **{(name, None): one[POOL] for name, one in labels.items() if POOL in one}}


def _has_gpus(group: NodeGroup, catalog: Catalog) -> bool:
    known = {name for types in catalog.instance_types.values() for name in types}
    tainted = {vendor.taint_key for vendor in catalog.vendors.values()}
    return (
        has_gpus(group.labels, group.capacity, catalog)
        or bool(known & {*group.instance_types})
        or any(name in catalog.resources for name in group.limits)
        or bool(tainted & {taint.partition("=")[0] for taint in group.taints})
    )


def pools_fields(pools: list[FoundPool], provider: Provider) -> dict[str, Commented]:
    models = [pool.model for pool in pools]
    return {
        pool.group.name: pool_fields(
            pool,
            provider,
            names_machines=not PROVIDERS[provider].makes_nodes and models.count(pool.model) > 1,
        )
        for pool in pools
    }


def pools_of_nodes(
    nodes: Iterable[FoundNode], renamed: Mapping[tuple[str, str | None], str], catalog: Catalog
) -> Iterator[NodeGroup]:
    """Yield a group for each pool that nodes name, then groups of nodes that are alike.

    `renamed` are the pools by the names of what makes their nodes, where these differ.
    """
    by_name: dict[str, list[FoundNode]] = defaultdict(list)
    alike: dict[tuple[object, ...], list[FoundNode]] = defaultdict(list)
    for node in nodes:
        if node.pool is not None:
            split = renamed.get((node.pool, node.instance_type))
            by_name[split or renamed.get((node.pool, None), node.pool)].append(node)
        else:
            alike[_likeness(node)].append(node)
    for name, members in by_name.items():
        yield _group_of_nodes(name, members)
    for group in alike.values():
        if group[0].has_gpus(catalog):
            model = known_model(group[0].labels, (group[0].instance_type,), catalog)
            name = _free_name("gpu" if model is None else model.family, by_name)
            by_name[name] = group
            yield _group_of_nodes(name, group)


def _likeness(node: FoundNode) -> tuple[object, ...]:
    labels = tuple(node.labels.get(label) for label in _ALIKE)
    return (node.instance_type, node.capacity.get("cpu"), *labels)


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbered if one not in taken)


def _group_of_nodes(name: str, nodes: list[FoundNode]) -> NodeGroup:
    shared = set.intersection(*({*node.labels.items()} for node in nodes))
    types = (node.instance_type for node in nodes)
    return NodeGroup(
        name=name,
        labels={key: one for key, one in nodes[0].labels.items() if (key, one) in shared},
        taints=tuple(dict.fromkeys(taint for node in nodes for taint in node.taints)),
        instance_types=tuple(dict.fromkeys(one for one in types if one is not None)),
        purchases=tuple(dict.fromkeys(found for node in nodes if (found := _purchase(node)))),
        nodes=tuple(nodes),
    )


def _purchase(node: FoundNode) -> Purchase | None:
    found = (one for label, one in PURCHASE_OF_LABEL.items() if label in node.labels.items())
    return next(found, None)
