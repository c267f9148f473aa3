"""Who may do what in a team's namespace."""

from collections.abc import Iterator

from charts_py.cluster_file.team import Members
from charts_py.components.gpu_roles.rules import GPU_ADMIN, GPU_USER, GPU_VIEWER
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

_RBAC = "rbac.authorization.k8s.io"


def role_bindings(namespace: str, members: Members) -> Iterator[Document]:
    """Yield a RoleBinding for each role that some group has; what no role allows is denied.

    https://kubernetes.io/docs/reference/access-authn-authz/rbac/
    """
    groups_by_role = {
        GPU_ADMIN: members.admins,
        GPU_USER: members.users,
        GPU_VIEWER: members.viewers,
    }
    for role, groups in groups_by_role.items():
        if groups:
            yield _role_binding(namespace, role, groups)


def _role_binding(namespace: str, role: str, groups: tuple[str, ...]) -> Document:
    body = {
        "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
        "subjects": [
            {"apiGroup": _RBAC, "kind": "Group", "name": group} for group in sorted(groups)
        ],
    }
    return object_of(f"{_RBAC}/v1", "RoleBinding", ObjectMeta(role, namespace), body)
