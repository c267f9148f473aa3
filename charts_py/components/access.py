"""Roles, their rules, and who has them.

https://kubernetes.io/docs/reference/access-authn-authz/rbac/
"""

from collections.abc import Iterable
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

_GROUP = "rbac.authorization.k8s.io"


def policy_rule(group: str, resources: Iterable[str], *verbs: str) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}


def cluster_role(name: str, rules: Iterable[dict[str, Any]]) -> Document:
    return object_of(f"{_GROUP}/v1", "ClusterRole", ObjectMeta(name), {"rules": list(rules)})


def role_binding(metadata: ObjectMeta, role: str, subjects: Iterable[dict[str, str]]) -> Document:
    """Return what binds a ClusterRole, in one namespace or, with none, in all of them."""
    kind = "ClusterRoleBinding" if metadata.namespace is None else "RoleBinding"
    body = {
        "roleRef": {"apiGroup": _GROUP, "kind": "ClusterRole", "name": role},
        "subjects": list(subjects),
    }
    return object_of(f"{_GROUP}/v1", kind, metadata, body)


def account_subject(name: str, namespace: str) -> dict[str, str]:
    return {"kind": "ServiceAccount", "name": name, "namespace": namespace}


def group_subjects(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"apiGroup": _GROUP, "kind": "Group", "name": name} for name in sorted(names)]
