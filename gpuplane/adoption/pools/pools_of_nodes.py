"""The pools that nodes belong to: by a label, or else by what they are."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from gpuplane.adoption.found_node import FoundNode
from gpuplane.adoption.node_names import PURCHASE_OF_LABEL
from gpuplane.adoption.pools.gpu_of_nodes import known_model
from gpuplane.adoption.pools.node_group import NodeGroup
from gpus.catalog import Catalog
from gpus.purchase import Purchase

_ALIKE = (
    *("nvidia.com/gpu.product", "nvidia.com/mig.config", "nvidia.com/device-plugin.config"),
    *("amd.com/gpu.product-name", "gpu.intel.com/product", "nvidia.com/gpu.count"),
)
"""Labels in which nodes of a pool are alike, where none names a pool."""


def pools_of_nodes(
    nodes: Iterable[FoundNode], renamed: Mapping[str, str], catalog: Catalog
) -> Iterator[NodeGroup]:
    """Yield a group for each name that nodes give their pool, then those of nodes alike.

    `renamed` are the pools by the names of what makes their nodes, where these differ.
    """
    by_name: dict[str, list[FoundNode]] = defaultdict(list)
    alike: dict[tuple[object, ...], list[FoundNode]] = defaultdict(list)
    for node in nodes:
        if node.pool is not None:
            by_name[renamed.get(node.pool, node.pool)].append(node)
        else:
            alike[_likeness(node)].append(node)
    for name, members in by_name.items():
        yield _group(name, members)
    for group in alike.values():
        if group[0].has_gpus(catalog):
            name = _free_name(_name_of(group[0], catalog), by_name)
            by_name[name] = group
            yield _group(name, group)


def _likeness(node: FoundNode) -> tuple[object, ...]:
    labels = tuple(node.labels.get(label) for label in _ALIKE)
    return (node.instance_type, node.capacity.get("cpu"), *labels)


def _name_of(node: FoundNode, catalog: Catalog) -> str:
    model = known_model(node.labels, (node.instance_type,), catalog)
    return "gpu" if model is None else model.family


def _free_name(name: str, taken: Mapping[str, object]) -> str:
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbered if one not in taken)


def _group(name: str, nodes: list[FoundNode]) -> NodeGroup:
    labels = dict(nodes[0].labels.items())
    for node in nodes[1:]:
        labels = {key: value for key, value in labels.items() if node.labels.get(key) == value}
    types = (node.instance_type for node in nodes)
    return NodeGroup(
        name=name,
        labels=labels,
        taints=tuple(dict.fromkeys(taint for node in nodes for taint in node.taints)),
        instance_types=tuple(dict.fromkeys(one for one in types if one is not None)),
        purchases=tuple(dict.fromkeys(found for node in nodes if (found := _purchase(node)))),
        nodes=tuple(nodes),
    )


def _purchase(node: FoundNode) -> Purchase | None:
    found = (one for label, one in PURCHASE_OF_LABEL.items() if label in node.labels.items())
    return next(found, None)
