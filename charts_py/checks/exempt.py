"""Namespaces whose pods no rule applies to."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_exempt(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each exempt namespace that belongs to a team."""
    of_teams = {name for _, name, _ in draft.namespaces()}
    for index, name in enumerate(draft.cluster.policies.exempt.namespaces):
        if name in of_teams:
            path = ("policies", "exempt", "namespaces", index)
            what = f'namespace "{name}" belongs to a team'
            yield Problem(path, what, "another namespace; for a team's, use `rules` or exceptions")
