"""The real training operator with the rights that MPIJobs need, and no more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.load import load_platform
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.jobs.training_operator import running_training_operator
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import pinned_files
from tests.e2e.releases.objects import applied, read_release

CLUSTER = Path(__file__).parent / "jobs.yaml"
WITHOUT, WITH = "trainingOperator: {}", "trainingOperator: {mpiJobs: true}"
NAMESPACE = "search-batch"
OUTSIDE = "of-no-team"
LAUNCHER = "sums-launcher"
RBAC = "rbac.authorization.k8s.io/v1"


@pytest.fixture(autouse=True)
def operator(
    control_plane: ControlPlane, component_logs: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The operator of a cluster that runs MPIJobs, with a team and a namespace of nobody."""
    file, release, folder = (tmp_path_factory.mktemp(name) for name in ("file", "release", "own"))
    text = CLUSTER.read_text(encoding="utf-8")
    assert WITHOUT in text
    (file / "jobs.yaml").write_text(text.replace(WITHOUT, WITH), encoding="utf-8")
    write_release(load_platform(file / "jobs.yaml", None), release)
    teams = ("team-vision", "team-search")
    objects = [
        *read_release(release, "priority-classes", *teams),
        manifest("v1 Namespace", OUTSIDE),
    ]
    with (
        applied(control_plane.admin, objects),
        running_training_operator(control_plane, release, pinned_files(), folder, component_logs),
    ):
        yield


def mpi_job(namespace: str) -> Document:
    """Return a job of a launcher and two workers."""
    container = {
        "name": "mpi",
        "image": "registry.example.com/team/mpi:1.0.0",
        "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
    pod = {
        "priorityClassName": "batch",
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 1000,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [container],
    }
    replicas = {
        name: {"replicas": count, "template": {"spec": pod}}
        for name, count in (("Launcher", 1), ("Worker", 2))
    }
    return manifest("kubeflow.org/v1 MPIJob", "sums", namespace, spec={"mpiReplicaSpecs": replicas})


def test_it_makes_what_a_launcher_needs_in_namespaces_of_teams_alone(
    admin: ApiClient, evidence: Evidence
) -> None:
    outside, inside = mpi_job(OUTSIDE), mpi_job(NAMESPACE)
    for job in (outside, inside):
        admin.create(job)
    try:
        workers = once_seen(
            lambda: admin.find("v1", "Pod", NAMESPACE), lambda found: len(found) == 2, "workers"
        )
        (role,) = admin.find(RBAC, "Role", NAMESPACE)
        (binding,) = (
            each
            for each in admin.find(RBAC, "RoleBinding", NAMESPACE)
            if each["metadata"]["name"] == LAUNCHER
        )
        (account,) = binding["subjects"]
        assert (role["metadata"]["name"], account["name"]) == (LAUNCHER, LAUNCHER)
        assert [each["resources"] for each in role["rules"]] == [["pods"], ["pods/exec"]]
        made = [
            each
            for kind in ("Pod", "ConfigMap", "ServiceAccount")
            for each in admin.find("v1", kind, OUTSIDE)
            if each["metadata"]["name"].startswith("sums")
        ]
        assert made == []
    finally:
        for job in (outside, inside):
            admin.delete(job)
            admin.wait_until_gone(job)
    evidence.show(
        "With `mpiJobs` the training operator makes the Role by which a launcher starts its "
        "workers, in the namespaces of teams and nowhere else.",
        f"{len(workers)} workers and a Role with pods/exec in the team's namespace; nothing of the "
        "same job in another one",
    )
