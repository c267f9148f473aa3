"""Taints of nodes, and tolerations of the pods that must run there."""

from collections.abc import Iterable

from gpus.taint import Taint


def taint_objects(taints: Iterable[Taint]) -> list[dict[str, str]]:
    """Return taints as the core API writes them (`v1.Taint`), in their order."""
    return [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in taints]


def tolerations_of(taints: Iterable[Taint]) -> list[dict[str, str]]:
    """Return one toleration for each taint, as `v1.Toleration`, in their order.

    Each names key and value: a wildcard would also tolerate taints that mark a node as broken.
    """
    return [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in taints
    ]
