"""Who the groups of a team are."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.team import Members
from charts_py.platform.draft import Draft


def check_members(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each group that has two roles in a team, of which one is enough.

    Mostly it is a part of a name with a comma in it, which YAML reads as two names.
    """
    for name, team in draft.cluster.teams.items():
        role_of: dict[str, str] = {}
        for role, index, group in _groups(team.members):
            if group in role_of:
                path = ("teams", name, "members", role, index)
                what = f'group "{group}" is already among {role_of[group]}'
                yield Problem(path, what, "one role a group; a name with a comma stands in quotes")
            role_of.setdefault(group, role)


def _groups(members: Members) -> Iterator[tuple[str, int, str]]:
    """Yield each role with the place and the name of each of its groups."""
    roles = {"users": members.users, "viewers": members.viewers, "admins": members.admins}
    for role, groups in roles.items():
        for index, group in enumerate(groups):
            yield role, index, group
