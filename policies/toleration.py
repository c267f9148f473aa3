"""Which taints a toleration tolerates.

Source: `ToleratesTaint` in https://github.com/kubernetes/api/blob/master/core/v1/toleration.go
"""

from collections.abc import Iterable, Sequence

from gpus.platform_names import PURCHASE
from gpus.purchase import AKS_SPOT, GKE_SPOT, KARPENTER_CAPACITY_TYPE, Purchase
from gpus.taint import Taint
from policies.document import Json
from policies.pod import Pod
from policies.settings import PoolSettings

SPOT_LABELS = {
    PURCHASE: Purchase.SPOT.value,
    AKS_SPOT: Purchase.SPOT.value,
    GKE_SPOT: "true",
    KARPENTER_CAPACITY_TYPE: Purchase.SPOT.value,
}
"""Node labels by which a pod asks for spot nodes."""
_PREFER_NO_SCHEDULE = "PreferNoSchedule"
UNSET = ("", None)
"""Values of a toleration's fields that say nothing."""


def keeps_off(taint: Taint) -> bool:
    """Whether the taint keeps pods off its node, rather than only discouraging them."""
    return taint.effect != _PREFER_NO_SCHEDULE


def tolerates(toleration: Json, taint: Taint) -> bool:
    """Whether the raw toleration tolerates the taint.

    The operators Lt and Gt compare numbers, which none of the platform's taints has.
    """
    if type(toleration) is not dict:
        return False
    key = toleration.get("key")
    if key != taint.key and key not in UNSET:
        return False
    if (effect := toleration.get("effect")) != taint.effect and effect not in UNSET:
        return False
    operator = toleration.get("operator")
    if operator == "Exists":
        return True
    equal = operator == "Equal" or operator in UNSET
    return equal and key == taint.key and (toleration.get("value") or "") == taint.value


def untolerated(taints: Iterable[Taint], tolerations: Sequence[Json]) -> list[Taint]:
    return [taint for taint in taints if keeps_off(taint) and not _tolerated(taint, tolerations)]


def _tolerated(taint: Taint, tolerations: Sequence[Json]) -> bool:
    # A loop, not any(): this runs for every GPU pod, and a generator costs as much as its work.
    for toleration in tolerations:  # noqa: SIM110
        if tolerates(toleration, taint):
            return True
    return False


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
