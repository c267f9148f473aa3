"""The three roles that teams have in their namespaces.

They are ClusterRoles so that each stands once, and only RoleBindings refer to them, so that they
hold in a team's namespaces alone. What jobs of every team name and is in no namespace, such as
runtimes of training jobs, all members of teams read by a role of its own. Rules are written out,
not aggregated: with aggregation, whoever may create a ClusterRole with the right label widens the
role. No rule has a wildcard: one would also grant what a later version, or another operator,
brings.
https://kubernetes.io/docs/concepts/security/rbac-good-practices/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.gpu_roles.access import team_access
from charts_py.components.gpu_roles.rules import cluster_reader, cluster_roles
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def _objects(platform: Platform) -> Iterator[Document]:
    access = (*team_access(platform.cluster.kubernetes), *platform.contribution.access)
    groups = {group for team in platform.cluster.teams.values() for group in team.members.groups}
    yield from cluster_roles(access)
    yield from cluster_reader(access, groups)


GPU_ROLES = Definition(
    name="gpu-roles",
    description=__doc__,
    appears="where there is a team to have them",
    is_wanted=lambda platform: bool(platform.cluster.teams),
    fields=("teams", "kubernetes"),
    wave=Wave.CLASSES,
    objects=_objects,
)
