"""Which taints a toleration tolerates.

Source: `ToleratesTaint` in https://github.com/kubernetes/api/blob/master/core/v1/toleration.go
"""

from collections.abc import Iterable, Mapping, Sequence

from gpus.platform_names import PURCHASE
from gpus.purchase import AKS_SPOT, EKS_CAPACITY_TYPE, GKE_SPOT, KARPENTER_CAPACITY_TYPE, Purchase
from gpus.taint import Taint
from policies.document import Json
from policies.node_terms import expressions
from policies.pod import Pod
from policies.settings import PoolSettings

_SPOT_LABELS = (PURCHASE, AKS_SPOT, GKE_SPOT, KARPENTER_CAPACITY_TYPE, EKS_CAPACITY_TYPE)
_SPOT_VALUES = (Purchase.SPOT.value, "SPOT", "true")
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


def spot_labels(pools: Iterable[PoolSettings]) -> dict[str, str]:
    return {
        key: value
        for pool in pools
        if is_spot(pool)
        for key in _SPOT_LABELS
        for value in pool.certain_labels.get(key, ())
        if value in _SPOT_VALUES
    }


def wants_spot(pod: Pod, labels: Mapping[str, str]) -> bool:
    """Whether the pod opts in to spot nodes, by an annotation or by a label of them.

    `labels` are those of spot nodes. Where one of several terms names it, the pod runs there by
    that term, and elsewhere by the others.
    """
    if pod.annotations.get(PURCHASE) == Purchase.SPOT.value:
        return True
    selector = pod.node_selector
    for key, value in labels.items():
        if selector.get(key) == value:
            return True
    return bool(labels) and bool(pod.node_terms) and _names_spot(pod.node_terms, labels)


def _names_spot(terms: Sequence[Json], labels: Mapping[str, str]) -> bool:
    for term in terms:
        for key, operator, values in expressions(term):
            if operator == "In" and key in labels and labels[key] in values:
                return True
    return False
