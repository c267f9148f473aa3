"""Capacity reservations that Karpenter takes nodes from."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.providers.provisioned_by import is_provisioned_by
from charts_py.spec.fault import Problem
from charts_py.spec.provider import EksProvisioner
from gpus.purchase import Purchase


def check_reservation(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each reserved pool that names none.

    Karpenter would take any open reservation, that of another pool too.
    """
    if not is_provisioned_by(draft, EksProvisioner.KARPENTER):
        return
    for pool in draft.pools:
        is_reserved = pool.spec.purchase is Purchase.RESERVED
        if (
            is_reserved
            and pool.spec.reservation is None
            and draft.is_read((*pool.path, "purchase"))
        ):
            what = f"missing; Karpenter requires one where the purchase is {Purchase.RESERVED}"
            allowed = f"^{draft.provider.reservation_pattern}$"
            yield Problem((*pool.path, "reservation"), what, allowed)
