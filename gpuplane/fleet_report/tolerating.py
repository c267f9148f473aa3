"""Which components tolerate a taint, by what was rendered."""

from collections.abc import Mapping
from typing import Any

from gpuplane.fleet_report.fleet_facts import RenderedVersion
from gpus.taint import Taint


def tolerating_components(version: RenderedVersion, taint: Taint) -> tuple[str, ...]:
    """Return the components with an object, or values of a chart, that tolerate a taint."""
    found = version.tolerations.items()
    return tuple(name for name, stated in found if any(tolerates(one, taint) for one in stated))


def tolerates(toleration: Mapping[str, Any], taint: Taint) -> bool:
    """Return whether a toleration matches a taint.

    As `ToleratesTaint` of `v1.Toleration` does in staging/src/k8s.io/api/core/v1/toleration.go of
    https://github.com/kubernetes/kubernetes; its comparisons of numbers match no taint of ours.
    """
    key, effect = toleration.get("key") or "", toleration.get("effect") or ""
    if (effect and effect != taint.effect) or (key and key != taint.key):
        return False
    match toleration.get("operator") or "Equal":
        case "Exists":
            return True
        case "Equal":
            return bool(key) and (toleration.get("value") or "") == taint.value
        case _:
            return False
