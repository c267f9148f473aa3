"""Pods that no rule looks at, in CEL; `policies.exemption` has them in Python.

Namespaces are left to the selector of a policy, and static pods to its other conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import texts

if TYPE_CHECKING:
    from policies.in_cel.rule_in_cel import Variables
    from policies.settings import Settings

_ACCOUNT = 'request.namespace + "/" + object.spec.?serviceAccountName.orValue("default")'


def exemptions(settings: Settings) -> Variables:
    """Return conditions by name; the rules look at a pod that meets all of them."""
    conditions = {
        "is-not-ending": "!has(object.metadata.deletionTimestamp)",
        "is-not-for-windows": 'object.spec.?nodeSelector[?"kubernetes.io/os"].orValue("")'
        ' != "windows"',
    }
    if accounts := settings.exempt_service_accounts:
        conditions["is-not-exempt"] = f"!({_ACCOUNT} in {texts(accounts)})"
    return conditions
