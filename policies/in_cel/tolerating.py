"""Which taints a toleration tolerates: `policies.toleration` in CEL."""

from policies.in_cel.pod_fields import TOLERATIONS


def is_tolerated(taint: str) -> str:
    """Return CEL for whether some toleration of the pod tolerates a taint.

    The taint is `[key, value, effect]`.
    """
    return (
        f"{TOLERATIONS}.exists(toleration,"
        f' toleration.?key.orValue("") in ["", {taint}[0]]'
        f' && toleration.?effect.orValue("") in ["", {taint}[2]]'
        ' && (toleration.?operator.orValue("") == "Exists"'
        ' || (toleration.?operator.orValue("") in ["", "Equal"]'
        f' && toleration.?key.orValue("") == {taint}[0]'
        f' && toleration.?value.orValue("") == {taint}[1])))'
    )
