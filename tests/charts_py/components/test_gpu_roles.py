"""When there are roles, and before what."""

from pathlib import Path
from typing import TypeAlias

import pytest
import yaml

from charts_py.components.gpu_roles import (
    GPU_ROLES,
    cluster_reader,
    cluster_roles,
    role_objects,
    team_access,
)
from charts_py.objects.document import Document
from charts_py.platform.contribution import Access, Use
from policies.workloads.team_resources import read_only_resources, status_resources
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.charts_py.managed import managed
from upstream.kubernetes_version import KubernetesVersion


def test_the_component_comes_before_the_teams(example: Load) -> None:
    (component,) = GPU_ROLES.plan(example("training"))
    assert (component.name, component.wave.name) == ("gpu-roles", "CLASSES")


def test_the_component_has_the_three_roles_and_nothing_else(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    platform = example("mixed")
    (component,) = GPU_ROLES.plan(platform)
    roles = cluster_roles(team_access(platform.cluster.kubernetes))
    assert documents_of_component(component) == tuple(roles)


Grants: TypeAlias = dict[str, set[tuple[str, str, str]]]
"""By role: API group, resource, verb."""
WRITES = {"create", "update", "patch", "delete", "deletecollection"}

RIGHTS = yaml.safe_load((Path(__file__).parent / "team_rights.yaml").read_text(encoding="utf-8"))
RUN = set(RIGHTS["run"])


def grants_on(version: KubernetesVersion) -> Grants:
    return {
        role["metadata"]["name"]: {
            (group, resource, verb)
            for rule in role["rules"]
            for group in rule["apiGroups"]
            for resource in rule["resources"]
            for verb in rule["verbs"]
        }
        for role in cluster_roles(team_access(version))
    }


@pytest.fixture
def newest() -> Grants:
    return grants_on(KubernetesVersion.V1_36)


def written(role: set[tuple[str, str, str]]) -> set[str]:
    return {f"{resource}.{group}" for group, resource, verb in role if verb in WRITES}


def test_there_are_three_roles(newest: Grants) -> None:
    assert sorted(newest) == ["gpu-admin", "gpu-user", "gpu-viewer"]


@pytest.mark.parametrize("version", KubernetesVersion)
def test_no_rule_has_a_wildcard(version: KubernetesVersion) -> None:
    words = {word for role in grants_on(version).values() for grant in role for word in grant}
    assert {word for word in words if "*" in word} == set()


def test_no_role_has_a_verb_that_gains_the_rights_of_others(newest: Grants) -> None:
    verbs = {verb for role in newest.values() for _, _, verb in role}
    assert verbs == {"get", "list", "watch", *WRITES}


def test_no_role_binds_pods_to_nodes_in_the_place_of_the_scheduler(newest: Grants) -> None:
    bindings = {"bindings", "pods/binding"}
    assert {grant for role in newest.values() for grant in role if grant[1] in bindings} == set()


def test_a_viewer_only_reads(newest: Grants) -> None:
    assert written(newest["gpu-viewer"]) == set()


def test_a_viewer_reads_neither_secrets_nor_through_a_running_container(newest: Grants) -> None:
    read = {resource for _, resource, _ in newest["gpu-viewer"]}
    assert read & {"secrets", "pods/exec", "pods/attach", "pods/portforward"} == set()


def test_a_viewer_reads_what_a_user_runs_and_what_bounds_it(newest: Grants) -> None:
    read = {
        f"{resource}.{group}" for group, resource, verb in newest["gpu-viewer"] if verb == "get"
    }
    assert {each for each in read if "/status." not in each} == RUN | set(RIGHTS["read"])


def test_a_user_runs_workloads_and_writes_nothing_that_bounds_them(newest: Grants) -> None:
    assert written(newest["gpu-user"]) == RUN | set(RIGHTS["parts"])


def test_every_role_reads_the_status_of_workloads(newest: Grants) -> None:
    expected = {(group, name) for group, names in status_resources().items() for name in names}
    for role in newest.values():
        for verb in ("get", "list", "watch"):
            assert {
                (group, name)
                for group, name, granted in role
                if name.endswith("/status") and granted == verb
            } == expected


def test_nobody_writes_a_status_but_that_of_a_rollout_to_promote_or_abort_it(
    newest: Grants,
) -> None:
    statuses = {
        (name, grant)
        for name, role in newest.items()
        for grant in role
        if grant[1].endswith("/status") and grant[2] in WRITES
    }
    assert statuses == {
        (name, ("argoproj.io", "rollouts/status", verb))
        for name in ("gpu-admin", "gpu-user")
        for verb in ("update", "patch")
    }


def test_what_only_the_platform_or_a_controller_writes_is_read(newest: Grants) -> None:
    for group, names in read_only_resources().items():
        for name in names:
            for role in newest.values():
                verbs = {verb for *resource, verb in role if resource == [group, name]}
                assert (name, verbs) == (name, {"get", "list", "watch"})


def test_an_admin_also_writes_secrets_service_accounts_and_disruption_budgets(
    newest: Grants,
) -> None:
    assert written(newest["gpu-admin"]) - written(newest["gpu-user"]) == {
        "poddisruptionbudgets.policy",
        "secrets.",
        "serviceaccounts.",
    }


def test_only_an_admin_deletes_many_at_once(newest: Grants) -> None:
    roles = {
        name for name, role in newest.items() for *_, verb in role if verb == "deletecollection"
    }
    assert roles == {"gpu-admin"}


def test_each_role_has_all_that_the_lesser_one_has(newest: Grants) -> None:
    assert newest["gpu-viewer"] < newest["gpu-user"] < newest["gpu-admin"]


def test_claims_are_spoken_of_from_kubernetes_1_34() -> None:
    versions = [
        version.value
        for version in KubernetesVersion
        if "resource.k8s.io" in {group for group, *_ in grants_on(version)["gpu-user"]}
    ]
    assert versions == [*KubernetesVersion][1:]
    assert versions[0] == "1.34"


READ = ["get", "list", "watch"]
WRITE = [*READ, "create", "update", "patch", "delete"]
ALL = [*WRITE, "deletecollection"]


def role(name: str, *verbs: list[str]) -> Document:
    """Return a role that has these verbs, one rule each, on widgets."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": managed(name),
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


def test_teams_write_pod_monitorings_where_google_collects_them(example: Load) -> None:
    def written(cluster: str) -> set[str]:
        roles = {each["metadata"]["name"]: each for each in role_objects(example(cluster))}
        return {
            resource
            for rule in roles["gpu-user"]["rules"]
            if rule["apiGroups"] == ["monitoring.googleapis.com"] and "create" in rule["verbs"]
            for resource in rule["resources"]
        }

    assert (written("inference"), written("training")) == ({"podmonitorings"}, set())
