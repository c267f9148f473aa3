"""Amounts as JSON has them."""

from policies.quantity import Quantity

_MOST = 2**63 - 1
"""No quantity is larger, or smaller than its negative
(https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/)."""


def as_number(amount: Quantity) -> float:
    """Return the nearest float; one that is too large counts as the largest quantity there is."""
    return float(min(max(amount, -_MOST), _MOST))
