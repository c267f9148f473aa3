"""Capacity reservations that pools are taken from."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.other_names import respelled
from charts_py.platform.draft import Draft, DraftPool


def check_reservation(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each reservation that is not used, or not one of the provider."""
    for pool in draft.pools:
        path = (*pool.path, "reservation")
        if not draft.is_read((*pool.path, "purchase")):
            continue
        if pool.spec.reservation is None:
            continue
        if not pool.spec.purchase.takes_reservation:
            what = f"the purchase is {pool.spec.purchase}, which takes no reservation"
            yield Problem(path, what, f"only with purchase {_with_reservation(draft)}")
        else:
            yield from _format(draft, pool, pool.spec.reservation)


def _with_reservation(draft: Draft) -> str:
    """Return the purchases of the provider that take a reservation."""
    purchases = draft.provider.purchases
    return " or ".join(f'"{one}"' for one in purchases if one.takes_reservation)


def _format(draft: Draft, pool: DraftPool, reservation: str) -> Iterator[Problem]:
    path, pattern = (*pool.path, "reservation"), draft.provider.reservation_pattern
    if pattern is None:
        what = f"{draft.cluster.provider} has no reservations"
        yield Problem(path, what, "no reservation")
    elif not re.fullmatch(pattern, reservation):
        what = f'"{reservation}" is not a reservation of {draft.cluster.provider}'
        yield Problem(path, what, f"^{pattern}$", respelled(reservation, pattern))
