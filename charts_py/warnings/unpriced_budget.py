"""Budgets towards which nothing counts."""

from collections.abc import Iterator

from charts_py.cluster_file.team import Team
from charts_py.platform.platform import Platform
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_unpriced_budget(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each budget of a team none of whose pools has a price."""
    for name, team in platform.cluster.teams.items():
        if team.budget is not None and not _is_priced(platform, team):
            pools = ", ".join(sorted(_pools(team)))
            what = f"nothing counts towards it, as the price of {pools} is not known"
            allowed = "a price of one of them (docs/cost.md), or no budget"
            path = ("teams", name, "budget")
            yield ClusterWarning(platform.fault(path, what, allowed))


def _is_priced(platform: Platform, team: Team) -> bool:
    return any(platform.price_of(platform.pool(name)) for name in _pools(team))


def _pools(team: Team) -> set[str]:
    """Return the pools that the quotas of a team name."""
    return {name for namespace in team.namespaces.values() for name in namespace.quota.gpus}
