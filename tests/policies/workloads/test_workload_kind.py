import pytest

from policies.workloads.registry import workload_kind
from policies.workloads.workload_kind import Author, Status, WorkloadKind


@pytest.mark.parametrize(
    ("group", "kind", "resource", "author", "status", "has_scale"),
    [
        ("", "Pod", "pods", Author.TEAM, Status.READ, False),
        ("", "PodTemplate", "podtemplates", Author.PLATFORM, Status.NONE, False),
        ("", "ReplicationController", "replicationcontrollers", Author.TEAM, Status.READ, True),
        ("apps", "DaemonSet", "daemonsets", Author.PLATFORM, Status.READ, False),
        ("apps", "Deployment", "deployments", Author.TEAM, Status.READ, True),
        ("apps", "ReplicaSet", "replicasets", Author.CONTROLLER, Status.READ, True),
        ("apps", "StatefulSet", "statefulsets", Author.TEAM, Status.READ, True),
        ("batch", "CronJob", "cronjobs", Author.TEAM, Status.READ, False),
        ("batch", "Job", "jobs", Author.TEAM, Status.READ, False),
    ],
)
def test_the_kinds_of_kubernetes(
    group: str, kind: str, resource: str, author: Author, status: Status, has_scale: bool
) -> None:
    known = workload_kind(group, kind)
    assert known is not None
    assert (known.resource, known.author, known.status, known.has_scale, known.is_namespaced) == (
        resource,
        author,
        status,
        has_scale,
        True,
    )


@pytest.mark.parametrize(
    ("kind", "resource"),
    [("PodClique", "podcliques"), ("RayJob", "rayjobs"), ("Sandbox", "sandboxes")],
)
def test_a_kind_is_in_the_plural_in_lower_case_as_a_resource(kind: str, resource: str) -> None:
    assert WorkloadKind("example.com", kind).resource == resource
