"""Which taints a toleration tolerates.

Source: `ToleratesTaint` in https://github.com/kubernetes/api/blob/master/core/v1/toleration.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gpus.taint import Taint
    from policies.document import Json

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
    """Return the taints that keep a pod with these tolerations off a node."""
    return [taint for taint in taints if keeps_off(taint) and not _tolerated(taint, tolerations)]


def _tolerated(taint: Taint, tolerations: Sequence[Json]) -> bool:
    # A loop, not any(): this runs for every GPU pod, and a generator costs as much as its work.
    for toleration in tolerations:  # noqa: SIM110
        if tolerates(toleration, taint):
            return True
    return False
