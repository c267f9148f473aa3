"""Pools of machines that are there, as NodeFeatureRules of gpuplane label them."""

from collections.abc import Iterator, Mapping
from typing import Any

from gpuplane.adoption.found_object import FoundObject, Inventory, items, strings, texts, value_at
from gpuplane.adoption.pools.node_group import NodeGroup
from gpus.platform_names import POOL


def node_feature_pools(inventory: Inventory) -> Iterator[NodeGroup]:
    """Yield what each rule that names a pool says of it; other rules make no pool."""
    for found in inventory.of("NodeFeatureRule"):
        for rule in items(found.spec, "rules"):
            labels = strings(rule, "labels")
            if POOL in labels:
                yield _group(found, rule, labels)


def _group(found: FoundObject, rule: Mapping[str, Any], labels: Mapping[str, str]) -> NodeGroup:
    matched = items(rule, "matchFeatures")
    names = (
        texts(value_at(one, "matchExpressions", "nodename"), "value")
        for one in matched
        if one.get("feature") == "system.name"
    )
    hostnames = tuple(expression for found_names in names for expression in found_names)
    return NodeGroup(labels[POOL], (str(found),), labels=labels, hostnames=hostnames)
