"""What each role may do with the objects of a right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_roles.rules import cluster_reader, cluster_roles
from charts_py.platform.contribution import Access, Use

if TYPE_CHECKING:
    from charts_py.objects.document import Document

READ = ["get", "list", "watch"]
WRITE = [*READ, "create", "update", "patch", "delete"]
ALL = [*WRITE, "deletecollection"]


def role(name: str, *verbs: list[str]) -> Document:
    """Return a role that has these verbs, one rule each, on widgets."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name, "labels": {"app.kubernetes.io/managed-by": "gpuplane"}},
        "rules": [
            {"apiGroups": ["example.com"], "resources": ["widgets"], "verbs": each}
            for each in verbs
        ],
    }


@pytest.mark.parametrize(
    ("use", "admin", "user", "viewer"),
    [
        (Use.RUN, [ALL], [WRITE], [READ]),
        (Use.READ, [READ], [READ], [READ]),
        (Use.CHANGE, [["get", "update", "patch"]], [["get", "update", "patch"]], []),
        (Use.CONNECT, [["create", "get"]], [["create", "get"]], []),
        (Use.ADMINISTER, [ALL], [], []),
        (Use.AUDIT, [READ], [], []),
        (Use.ADJUST, [["patch"]], [], []),
        (Use.LOOK_UP, [], [], []),
    ],
)
def test_each_role_has_a_rule_for_what_it_uses(
    use: Use, admin: list[list[str]], user: list[list[str]], viewer: list[list[str]]
) -> None:
    assert [*cluster_roles([Access("example.com", ("widgets",), use)])] == [
        role("gpu-admin", *admin),
        role("gpu-user", *user),
        role("gpu-viewer", *viewer),
    ]


def test_a_role_has_one_rule_for_each_use_of_an_api_group() -> None:
    rights = [
        Access("b.example.com", ("xs",), Use.READ),
        Access("", ("zs",), Use.READ),
        Access("b.example.com", ("xs", "as"), Use.READ),
        Access("b.example.com", ("xs",), Use.RUN),
    ]
    *_, viewer = cluster_roles(rights)
    assert viewer["rules"] == [
        {"apiGroups": ["b.example.com"], "resources": ["xs"], "verbs": READ},
        {"apiGroups": [""], "resources": ["zs"], "verbs": READ},
        {"apiGroups": ["b.example.com"], "resources": ["as", "xs"], "verbs": READ},
    ]


def test_what_is_in_no_namespace_is_read_by_every_group_of_a_team() -> None:
    rights = [
        Access("example.com", ("widgets",), Use.LOOK_UP),
        Access("example.com", ("gadgets",), Use.RUN),
    ]
    reader, binding = cluster_reader(rights, {"trainees", "leads"})
    assert reader == role("gpu-reader", READ)
    assert (binding["kind"], binding["roleRef"]["name"]) == ("ClusterRoleBinding", "gpu-reader")
    assert [each["name"] for each in binding["subjects"]] == ["leads", "trainees"]


@pytest.mark.parametrize(
    ("rights", "groups"),
    [
        ([Access("example.com", ("widgets",), Use.READ)], ["leads"]),
        ([Access("example.com", ("widgets",), Use.LOOK_UP)], []),
    ],
)
def test_nobody_reads_what_no_component_names(rights: list[Access], groups: list[str]) -> None:
    assert [*cluster_reader(rights, groups)] == []
