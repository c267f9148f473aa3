from dataclasses import replace

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.team import Members
from charts_py.components.team.objects import role_bindings, team_objects
from charts_py.components.team.quota import resource_quota
from charts_py.objects.document import Document, key_of
from charts_py.platform.contribution import Contribution, TeamAdditions
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import Load
from tests.charts_py.managed import managed

QUOTA = ("ResourceQuota {}/quota", "Namespace {}")
ADMIN, USER, VIEWER = (f"RoleBinding {{}}/gpu-{role}" for role in ("admin", "user", "viewer"))
BOUNDS = (
    "ResourceQuota {}/foreign-priorities",
    "ResourceQuota {}/objects",
    "LimitRange {}/limits",
    "NetworkPolicy {}/default-deny",
    "NetworkPolicy {}/allow-dns",
    "NetworkPolicy {}/allow-same-team",
    "NetworkPolicy {}/allow-metrics",
    "NetworkPolicy {}/allow-training-jobset",
    "NetworkPolicy {}/allow-training-kubeflow",
    "NetworkPolicy {}/allow-training-volcano",
)
WITH_IDENTITY = (*BOUNDS[:5], "NetworkPolicy {}/allow-identity", *BOUNDS[5:])
EGRESS = ("NetworkPolicy {}/allow-egress",)
OF_REGISTRY = ("NetworkPolicy {}/allow-model-registry",)
OF_GATEWAY = ("NetworkPolicy {}/allow-gateway",)
OF_PICKERS = (
    "ServiceAccount {}/endpoint-picker",
    "RoleBinding {}/endpoint-picker",
    "NetworkPolicy {}/allow-endpoint-picker",
)
LOCAL_QUEUE = "LocalQueue {}/default"
TEAMS: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("training", "research"): {
        "research-notebooks": (*QUOTA, ADMIN, USER, VIEWER, *WITH_IDENTITY, LOCAL_QUEUE),
        "research-training": (*QUOTA, ADMIN, USER, VIEWER, *WITH_IDENTITY, *EGRESS, LOCAL_QUEUE),
    },
    ("inference", "assistants"): {
        "assistants": (*QUOTA, USER, *WITH_IDENTITY, *EGRESS, *OF_PICKERS, *OF_GATEWAY)
    },
    ("mixed", "vision"): {
        "vision-notebooks": (*QUOTA, ADMIN, USER, *BOUNDS),
        "vision-serving": (*QUOTA, ADMIN, USER, *BOUNDS),
        "vision-training": (*QUOTA, ADMIN, USER, *BOUNDS),
    },
    ("onprem", "simulation"): {
        "simulation": (*QUOTA, ADMIN, USER, VIEWER, *BOUNDS, *OF_REGISTRY),
        "simulation-notebooks": (*QUOTA, ADMIN, USER, VIEWER, *BOUNDS, *OF_REGISTRY),
    },
}


def objects_of(platform: Platform, team: str) -> list[Document]:
    namespaces = (each for each in platform.namespaces if each.team_name == team)
    return [document for each in namespaces for document in team_objects(platform, each)]


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_every_object_stands_in_its_namespace(example: Load, cluster: str) -> None:
    platform = example(cluster)
    for namespace in platform.namespaces:
        keys = {key_of(document) for document in team_objects(platform, namespace)}
        (outside,) = (key for key in keys if key.namespace != namespace.name)
        assert str(outside) == f"Namespace {namespace.name}"


@pytest.mark.parametrize(("cluster", "name"), TEAMS)
def test_a_team_has_its_namespaces_and_what_bounds_them(
    example: Load, cluster: str, name: str
) -> None:
    keys = [str(key_of(document)) for document in objects_of(example(cluster), name)]
    assert keys == [
        key
        for namespace, objects in TEAMS[cluster, name].items()
        for key in (each.format(namespace) for each in objects)
    ]


QUEUE = {
    "apiVersion": "example.com/v1",
    "kind": "Queue",
    "metadata": {"name": "queue", "namespace": "research-training"},
}


def objects_with(platform: Platform, **added: TeamAdditions) -> list[Document]:
    """Return the objects of a namespace to which these components add."""
    (namespace,) = (each for each in platform.namespaces if each.name == "research-training")
    changed = replace(platform, contribute=lambda _: Contribution(teams={namespace.name: added}))
    return list(team_objects(changed, namespace))


@pytest.mark.parametrize(
    ("added", "component", "what", "owner"),
    [
        (
            {"kueue": TeamAdditions(quota={"requests.cpu": "1"})},
            "kueue",
            'quota bound "requests.cpu"',
            "team",
        ),
        (
            {
                "kueue": TeamAdditions(quota={"pods": "1"}),
                "keda": TeamAdditions(quota={"pods": "2"}),
            },
            "keda",
            'quota bound "pods"',
            "kueue",
        ),
        (
            {"kueue": TeamAdditions(network_policies={"default-deny": {}})},
            "kueue",
            'object "NetworkPolicy research-training/default-deny"',
            "team",
        ),
        (
            dict.fromkeys(("kueue", "keda"), TeamAdditions(objects=(QUEUE,))),
            "keda",
            'object "Queue research-training/queue"',
            "kueue",
        ),
        (
            {"kueue": TeamAdditions(objects=(resource_quota("research-training", {}),))},
            "kueue",
            'object "ResourceQuota research-training/quota"',
            "team",
        ),
    ],
)
def test_nothing_is_added_twice(
    example: Load, added: dict[str, TeamAdditions], component: str, what: str, owner: str
) -> None:
    with pytest.raises(RenderError) as caught:
        objects_with(example("training"), **added)
    assert str(caught.value) == (
        f"training: namespace research-training: the component {component} adds the {what}, "
        f"which the component {owner} adds already"
    )


def test_objects_of_two_api_groups_may_have_one_kind_and_name(example: Load) -> None:
    other = {**QUEUE, "apiVersion": "queues.example.com/v1"}
    *_, first, second = objects_with(
        example("training"),
        kueue=TeamAdditions(objects=(QUEUE,)),
        keda=TeamAdditions(objects=(other,)),
    )
    assert [first, second] == [QUEUE, other]


def test_a_component_annotates_the_namespace(example: Load) -> None:
    added = TeamAdditions(annotations={"example.com/queue": "mine"})
    (namespace,) = (
        each
        for each in objects_with(example("training"), kueue=added)
        if each["kind"] == "Namespace"
    )
    annotations = namespace["metadata"]["annotations"]
    assert annotations["example.com/queue"] == "mine"
    assert annotations["gpuplane.io/owner"] == "research-leads@example.com"


def binding(role: str, *groups: str) -> Document:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": managed(role, "research"),
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
