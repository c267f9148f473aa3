"""Pools of reserved nodes that name no reservation."""

from collections.abc import Iterator

from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_unnamed_reservation(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each pool that may be bought on demand, though it says otherwise."""
    if not platform.provider.makes_nodes:
        return
    for pool in platform.pools:
        if pool.spec.purchase.takes_reservation and pool.spec.reservation is None:
            path = ("pools", pool.name, "purchase")
            what = f'"{pool.spec.purchase}" without a reservation; nodes may be bought on demand'
            allowed = "a reservation that the pool names, or purchase: on-demand"
            yield ClusterWarning(platform.fault(path, what, allowed))
