"""Who has which role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.team import Members
from charts_py.components.team.access import role_bindings

if TYPE_CHECKING:
    from charts_py.objects.document import Document


def binding(role: str, *groups: str) -> Document:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {
            "name": role,
            "namespace": "research",
            "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
        },
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
        "subjects": [
            {"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": group}
            for group in groups
        ],
    }


def test_each_role_is_bound_to_the_groups_that_have_it() -> None:
    members = Members(users=("trainees", "engineers"), viewers=("everyone",), admins=("leads",))
    assert [*role_bindings("research", members)] == [
        binding("gpu-admin", "leads"),
        binding("gpu-user", "engineers", "trainees"),
        binding("gpu-viewer", "everyone"),
    ]


def test_a_role_that_nobody_has_is_not_bound() -> None:
    members = Members(users=("engineers",))
    assert [*role_bindings("research", members)] == [binding("gpu-user", "engineers")]
