import pytest

from policies.workloads.job_label import JOB_LABELS
from policies.workloads.parts import READERS
from policies.workloads.registry import WORKLOAD_KINDS, Author, Status, WorkloadKind, workload_kind


def test_no_kind_is_in_the_table_twice() -> None:
    names = [(known.group, known.kind) for known in WORKLOAD_KINDS]
    assert names == sorted(set(names))


def test_every_reader_and_every_label_is_of_some_kind() -> None:
    read = {reader for known in WORKLOAD_KINDS for _, reader in known.parts}
    assert read == {*READERS.values()}
    assert {known.job_label for known in WORKLOAD_KINDS} == {None, *JOB_LABELS.values()}


def test_a_kind_is_looked_up_by_its_group_and_name() -> None:
    job = workload_kind("batch", "Job")
    volcano_job = workload_kind("batch.volcano.sh", "Job")
    assert job is not None
    assert volcano_job is not None
    assert job.templates != volcano_job.templates
    assert workload_kind("apps", "Job") is None


def test_a_team_creates_nothing_outside_of_its_namespaces() -> None:
    cluster_wide = {known.kind for known in WORKLOAD_KINDS if not known.is_namespaced}
    assert cluster_wide == {
        "ClusterAnalysisTemplate",
        "ClusterServingRuntime",
        "ClusterTrainingRuntime",
        "ClusterWorkflowTemplate",
        "WorkspaceKind",
    }
    assert {k.author for k in WORKLOAD_KINDS if not k.is_namespaced} == {Author.PLATFORM}


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
