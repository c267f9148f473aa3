"""Spot nodes, which can be taken away at any time: which pools have them, and who wants them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import PURCHASE
from gpus.purchase import AKS_SPOT, GKE_SPOT, KARPENTER_CAPACITY_TYPE, Purchase

if TYPE_CHECKING:
    from policies.pod import Pod
    from policies.settings import PoolSettings

SPOT_LABELS = {
    PURCHASE: Purchase.SPOT.value,
    AKS_SPOT: Purchase.SPOT.value,
    GKE_SPOT: "true",
    KARPENTER_CAPACITY_TYPE: Purchase.SPOT.value,
}
"""Node labels by which a pod asks for spot nodes."""


def is_spot(pool: PoolSettings) -> bool:
    """Whether the nodes of the pool can be taken away at any time."""
    return pool.labels.get(PURCHASE) == Purchase.SPOT.value


def wants_spot(pod: Pod) -> bool:
    """Whether the pod opts in to spot nodes, by node selector or annotation."""
    if pod.annotations.get(PURCHASE) == Purchase.SPOT.value:
        return True
    selector = pod.node_selector
    for key, value in selector.items():  # noqa: SIM110 # a generator costs as much as its work
        if key in SPOT_LABELS and value == SPOT_LABELS[key]:
            return True
    return False
