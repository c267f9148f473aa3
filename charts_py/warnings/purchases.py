"""Nodes and budgets whose price is not what the file says."""

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


def warn_of_unpriced_budget(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each budget of a team that has no pool with a price."""
    for name, team in platform.cluster.teams.items():
        names = {name for each in team.namespaces.values() for name in each.quota.gpus}
        if team.budget is not None and not any(
            platform.price_of(platform.pool(each)) for each in names
        ):
            pools = ", ".join(sorted(names))
            what = f"nothing counts towards it, as the price of {pools} is not known"
            allowed = "a price of one of them (docs/cost.md), or no budget"
            path = ("teams", name, "budget")
            yield ClusterWarning(platform.fault(path, what, allowed))
