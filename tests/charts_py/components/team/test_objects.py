"""The objects of a team's namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.team.objects import team_objects
from charts_py.objects.document import key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

BOUNDS = (
    "NetworkPolicy {}/default-deny",
    "NetworkPolicy {}/allow-dns",
    "NetworkPolicy {}/allow-same-team",
    "NetworkPolicy {}/allow-metrics",
)
WITH_IDENTITY = (*BOUNDS[:2], "NetworkPolicy {}/allow-identity", *BOUNDS[2:])
JOBS = (
    "NetworkPolicy {}/allow-training-jobset",
    "NetworkPolicy {}/allow-training-kubeflow",
)
EGRESS = ("NetworkPolicy {}/allow-egress",)
QUOTA = (
    "ResourceQuota {}/quota",
    "ResourceQuota {}/foreign-priorities",
    "LimitRange {}/limits",
)
ADMIN, USER, VIEWER = (f"RoleBinding {{}}/gpu-{role}" for role in ("admin", "user", "viewer"))

TEAMS: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("training", "research"): {
        "research-notebooks": (ADMIN, USER, VIEWER, *WITH_IDENTITY, *QUOTA),
        "research-training": (ADMIN, USER, VIEWER, *WITH_IDENTITY, *JOBS, *EGRESS, *QUOTA),
    },
    ("inference", "assistants"): {
        "assistants": (USER, *WITH_IDENTITY, *EGRESS, *QUOTA),
    },
    ("mixed", "vision"): {
        "vision-notebooks": (ADMIN, USER, *BOUNDS, *QUOTA),
        "vision-serving": (ADMIN, USER, *BOUNDS, *QUOTA),
        "vision-training": (ADMIN, USER, *BOUNDS, *JOBS, *QUOTA),
    },
    ("onprem", "simulation"): {
        "simulation": (ADMIN, USER, VIEWER, *BOUNDS, *JOBS, *QUOTA),
        "simulation-notebooks": (ADMIN, USER, VIEWER, *BOUNDS, *QUOTA),
    },
}


def objects_of(platform: Platform, team: str) -> list[Document]:
    namespaces = (each for each in platform.namespaces if each.team_name == team)
    return [document for each in namespaces for document in team_objects(platform, each)]


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_every_object_stands_in_its_namespace(
    example: Callable[[str], Platform], cluster: str
) -> None:
    platform = example(cluster)
    for namespace in platform.namespaces:
        first, *others = (key_of(document) for document in team_objects(platform, namespace))
        assert str(first) == f"Namespace {namespace.name}"
        assert {key.namespace for key in others} == {namespace.name}


@pytest.mark.parametrize(("cluster", "name"), TEAMS)
def test_a_team_has_its_namespaces_and_what_bounds_them(
    example: Callable[[str], Platform], cluster: str, name: str
) -> None:
    keys = [str(key_of(document)) for document in objects_of(example(cluster), name)]
    assert keys == [
        key
        for namespace, objects in TEAMS[cluster, name].items()
        for key in (f"Namespace {namespace}", *(each.format(namespace) for each in objects))
    ]


def test_the_bounds_follow_from_the_teams_own_pools_and_priorities(
    example: Callable[[str], Platform],
) -> None:
    bounds = {
        document["metadata"]["name"]: document["spec"]
        for document in objects_of(example("onprem"), "robotics")
        if document["kind"] in {"ResourceQuota", "LimitRange"}
    }
    foreign = bounds["foreign-priorities"]["scopeSelector"]["matchExpressions"][0]["values"]
    assert bounds["quota"]["hard"]["requests.nvidia.com/gpu.shared"] == "64"
    assert bounds["limits"]["limits"][1] == {"type": "Pod", "max": {"memory": "512Gi"}}
    assert foreign == [
        "batch",
        "notebooks",
        "system",
        "system-cluster-critical",
        "system-node-critical",
        "training",
    ]
