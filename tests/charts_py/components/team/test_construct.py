"""A team as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.team.definition import TEAM
from charts_py.objects.document import key_of
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
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


@pytest.mark.parametrize(("cluster", "name"), TEAMS)
def test_a_team_has_its_namespaces_and_what_bounds_them(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
    cluster: str,
    name: str,
) -> None:
    (component,) = (c for c in TEAM.plan(example(cluster)) if c.name == f"team-{name}")
    keys = [str(key_of(document)) for document in documents_of_component(component)]
    assert keys == [
        key
        for namespace, objects in TEAMS[cluster, name].items()
        for key in (f"Namespace {namespace}", *(each.format(namespace) for each in objects))
    ]


def test_each_team_is_a_component_in_the_wave_of_teams(
    example: Callable[[str], Platform],
) -> None:
    components = [(c.name, c.wave, c.namespace) for c in TEAM.plan(example("training"))]
    assert components == [
        ("team-recommendations", Wave.TEAMS, "recommendations"),
        ("team-research", Wave.TEAMS, "research-notebooks"),
    ]


def test_the_bounds_follow_from_the_teams_own_pools_and_priorities(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    (component,) = (c for c in TEAM.plan(example("onprem")) if c.name == "team-robotics")
    bounds = {
        document["metadata"]["name"]: document["spec"]
        for document in documents_of_component(component)
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
