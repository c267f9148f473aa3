"""Who works in the namespaces of a team."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from charts_py.components.gpu_roles import GPU_ADMIN, GPU_USER, GPU_VIEWER
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.found_object import FoundObject, items, listed, value_at

_MEMBERS: Mapping[str, str] = {
    GPU_USER: "users",
    GPU_VIEWER: "viewers",
    GPU_ADMIN: "admins",
    "edit": "users",
    "view": "viewers",
    "admin": "admins",
}
"""What members are called whose ClusterRole is one of gpuplane's, or of those for people that every
cluster has (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles)."""
_ORDER = ("users", "viewers", "admins")


def member_fields(bindings: Iterable[FoundObject]) -> Commented:
    """Return the groups that RoleBindings give a role for people; others are noted."""
    members: dict[str, dict[str, str]] = defaultdict(dict)
    lost: list[str] = []
    for found in bindings:
        field = _MEMBERS.get(str(value_at(found.document, "roleRef", "name")))
        for subject in items(found.document, "subjects"):
            kind, name = subject.get("kind"), str(subject.get("name"))
            if kind == "Group" and field is not None and not name.startswith("system:"):
                members[field].setdefault(name, str(found))
            elif kind in ("Group", "User"):
                lost.append(f"{kind} {name} of {found}")
    fields = {
        field: Commented(sorted(members[field]), listed(members[field].values()))
        for field in _ORDER
        if field in members
    }
    what = f"not carried over: {listed(lost)}; members are groups with a role for people"
    return Commented(fields or {}, notes=(what,) if lost else ())
