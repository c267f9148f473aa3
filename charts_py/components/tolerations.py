"""Tolerations of pods that must run on the nodes of given pools."""

from collections.abc import Iterable

from charts_py.platform.platform import PlatformPool


def tolerations_of(pools: Iterable[PlatformPool]) -> list[dict[str, str]]:
    """Return one toleration for each taint on the nodes of the pools, as `v1.Toleration`, sorted.

    Each names key and value: a wildcard would also tolerate what says that a node is broken.
    """
    taints = {taint for pool in pools for taint in pool.facts.taints}
    return [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in sorted(taints, key=str)
    ]
