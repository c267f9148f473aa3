"""Who may do what in a team's namespace."""

from collections.abc import Iterator
from dataclasses import dataclass

from constructs import Construct

from charts_py.components.gpu_roles.construct import GPU_ADMIN, GPU_USER, GPU_VIEWER
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.spec.team import Members

_RBAC = "rbac.authorization.k8s.io"


@dataclass(frozen=True, slots=True)
class TeamAccessProps:
    """A namespace and the groups of its team."""

    namespace: str
    members: Members


class TeamAccess(Construct):
    """A RoleBinding for each role that some group has; what no role allows is denied.

    https://kubernetes.io/docs/reference/access-authn-authz/rbac/
    """

    def __init__(self, scope: Construct, id: str, props: TeamAccessProps) -> None:
        super().__init__(scope, id)
        for role, groups in _groups_by_role(props.members):
            body = {
                "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
                "subjects": [
                    {"apiGroup": _RBAC, "kind": "Group", "name": group} for group in sorted(groups)
                ],
            }
            metadata = ObjectMeta(role, props.namespace)
            add_object(self, f"{_RBAC}/v1", "RoleBinding", metadata, body)


def _groups_by_role(members: Members) -> Iterator[tuple[str, tuple[str, ...]]]:
    by_role = {
        GPU_ADMIN: members.admins,
        GPU_USER: members.users,
        GPU_VIEWER: members.viewers,
    }
    return ((role, groups) for role, groups in by_role.items() if groups)
