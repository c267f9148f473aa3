"""Namespaces whose pods no rule looks at."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.spec.fault import Problem


def check_exempt(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each exempt namespace that is a team's."""
    of_teams = {name for _, name, _ in draft.namespaces()}
    for index, name in enumerate(draft.cluster.policies.exempt.namespaces):
        if name in of_teams:
            path = ("policies", "exempt", "namespaces", index)
            what = f'namespace "{name}" is a team\'s'
            yield Problem(path, what, "another namespace; a team's has `rules` and exceptions")
