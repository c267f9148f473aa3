"""Which taints a toleration tolerates.

Source: `ToleratesTaint` in https://github.com/kubernetes/api/blob/master/core/v1/toleration.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import members, text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpus.taint import Taint
    from policies.document import Json

PREFER_NO_SCHEDULE = "PreferNoSchedule"
"""The effect of a taint that keeps no pod off."""


def tolerates(toleration: Json, taint: Taint) -> bool:
    """Whether the raw toleration tolerates the taint.

    The operators Lt and Gt compare numbers, which none of the platform's taints carries.
    """
    fields = members(toleration)
    if not fields or text(fields.get("effect")) not in ("", taint.effect):
        return False
    key, operator = text(fields.get("key")), text(fields.get("operator"))
    if operator == "Exists":
        return key in ("", taint.key)
    equal = operator in ("", "Equal")
    return equal and key == taint.key and text(fields.get("value")) == taint.value


def untolerated(taints: Iterable[Taint], tolerations: Iterable[Json]) -> list[Taint]:
    """Return the taints that keep a pod with these tolerations off a node."""
    return [
        taint
        for taint in taints
        if taint.effect != PREFER_NO_SCHEDULE
        and not any(tolerates(toleration, taint) for toleration in tolerations)
    ]
