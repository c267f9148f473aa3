"""Capacity reservations, and blocks of capacity, that nodes are taken from."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import EksProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.providers.provisioned_by import is_provisioned_by
from gpus.purchase import Purchase


def check_reservation(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of a reservation that does not name it, or cannot take it."""
    for pool in draft.pools:
        purchase = pool.spec.purchase
        if not (purchase.takes_reservation and draft.is_read((*pool.path, "purchase"))):
            continue
        if is_provisioned_by(draft, EksProvisioner.KARPENTER):
            yield from _unnamed(draft, pool)
        elif purchase is Purchase.CAPACITY_BLOCK and is_provisioned_by(
            draft, EksProvisioner.EKSCTL
        ):
            what = "nothing drains the nodes of a node group before the block ends"
            allowed = f'only with provisioner "{EksProvisioner.KARPENTER}"'
            yield Problem((*pool.path, "purchase"), what, allowed)


def _unnamed(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    """Yield a problem for a reservation that is not named.

    Karpenter would take any open one, that of another pool too; it never takes a block unnamed.
    """
    if pool.spec.reservation is None:
        what = f"missing; Karpenter requires one where the purchase is {pool.spec.purchase}"
        allowed = f"^{draft.provider.reservation_pattern}$"
        yield Problem((*pool.path, "reservation"), what, allowed)
