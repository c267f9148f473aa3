"""A team runs what it likes in its own namespaces, and has no say anywhere else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.objects.document import Document
from tests.e2e.claims.access_reviews import READ, WRITE, Right, granted, served_resources
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, read_release

OWN, OTHER = "research-training", "recommendations"
PYTORCH_JOBS = ("pytorchjobs", "kubeflow.org")
BOUNDS = {
    ("resourcequotas", ""),
    ("limitranges", ""),
    ("networkpolicies", "networking.k8s.io"),
    ("roles", "rbac.authorization.k8s.io"),
    ("rolebindings", "rbac.authorization.k8s.io"),
}
"""What the cluster file decides in a team's namespace."""
ABOUT_ONESELF = [
    Right("create", "selfsubjectaccessreviews", "authorization.k8s.io"),
    Right("create", "selfsubjectreviews", "authentication.k8s.io"),
    Right("create", "selfsubjectrulesreviews", "authorization.k8s.io"),
]
"""What Kubernetes lets everyone ask
(https://kubernetes.io/docs/reference/access-authn-authz/rbac/#discovery-roles)."""


@pytest.fixture(scope="module")
def roles(admin: ApiClient, live_releases: dict[str, Path]) -> Iterator[list[Document]]:
    components = ("gpu-roles", "team-research", "team-recommendations")
    objects = read_release(live_releases["training"], *components)
    with applied(admin, objects):
        yield [each for each in objects if each["kind"] == "ClusterRole"]


@pytest.fixture(scope="module")
def resources(admin: ApiClient, roles: list[Document]) -> dict[tuple[str, str], bool]:
    """Whether each resource is namespaced: what is served, and what the roles name."""
    named = {
        (resource, group): True
        for role in roles
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }
    return named | served_resources(admin)


@pytest.mark.parametrize("group", ["ml-research", "ml-research-leads"])
def test_a_team_creates_pytorch_jobs_in_its_namespace_and_nothing_elsewhere(
    admin: ApiClient, evidence: Evidence, resources: dict[tuple[str, str], bool], group: str
) -> None:
    own = [Right("create", *PYTORCH_JOBS, OWN)]
    elsewhere = [
        Right(verb, *resource, OTHER if namespaced else None)
        for resource, namespaced in resources.items()
        for verb in (*READ, *WRITE)
    ]
    bounds = [Right(verb, *resource, OWN) for resource in BOUNDS for verb in WRITE]
    once_seen(lambda: granted(admin, group, own), lambda found: found == own, f"{group} may {own}")
    assert granted(admin, group, elsewhere) == ABOUT_ONESELF
    assert granted(admin, group, bounds) == []
    evidence.show(
        f"The group {group} may create a PyTorchJob in its namespace, and nothing in another's "
        "or in cluster settings.",
        f"0 of {len(elsewhere) - len(ABOUT_ONESELF)} rights elsewhere, "
        f"0 of {len(bounds)} on the bounds of its own namespace, by SubjectAccessReview",
    )
