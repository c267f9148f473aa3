"""Jobs of Kubeflow Trainer on the runtimes of pools."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from charts_py.components.training_runtimes.definition import training_runtimes
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Review
from policies.engine import Engine
from policies.rule_name import RuleName
from policies.workloads.team_resources import isolated_job_labels
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.binaries.training import build_training_programs
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import running_control_plane
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest
from tests.e2e.more.training.running import running_training
from tests.e2e.polling import once_seen

SAMPLE = SAMPLES / "training.yaml"
OF_A_TEAM = {RuleName.PRIORITY_CLASS, RuleName.TEAM_LABELS}
"""Rules that give a pod what depends on its namespace, which a runtime for all cannot have."""


@dataclass(frozen=True, slots=True)
class TrainingCluster:
    """A cluster with Trainer, JobSet, and the runtimes of the sample's pools."""

    platform: Platform
    client: ApiClient

    def train(self, name: str, namespace: str, runtime: str, nodes: int) -> None:
        trainer = {"numNodes": nodes, "command": ["torchrun", "train.py"]}
        spec = {"runtimeRef": {"name": runtime}, "trainer": trainer}
        kind = "trainer.kubeflow.org/v1alpha1 TrainJob"
        self.client.create(manifest(kind, name, namespace, spec=spec))

    def pods(self, namespace: str, job: str, count: int) -> list[Document]:
        """Return the pods of a job, once there are so many, by name; raise TimeoutError."""
        selector = f"jobset.sigs.k8s.io/jobset-name={job}"
        pods = once_seen(
            lambda: self.client.find("v1", "Pod", namespace, labelSelector=selector),
            lambda found: len(found) == count,
            f"{job} has {count} pods",
        )
        return sorted(pods, key=lambda pod: str(pod["metadata"]["name"]))


@pytest.fixture(scope="module")
def cluster(
    control_plane_binaries: ControlPlaneBinaries,
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[TrainingCluster]:
    platform = load_platform(SAMPLE, None)
    programs = build_training_programs()
    folder = tmp_path_factory.mktemp("training")
    with (
        running_control_plane(control_plane_binaries, folder, component_logs) as running,
        running_training(running, programs, component_logs),
    ):
        for namespace in platform.namespaces:
            level = namespace.spec.pod_security.value
            labels = {"pod-security.kubernetes.io/enforce": level}
            make_namespace(running.admin, namespace.name, labels)
        for runtime in training_runtimes(platform):
            running.admin.apply(runtime)
        yield TrainingCluster(platform, running.admin)


def _variables(pod: Document) -> dict[str, str | None]:
    (container,) = pod["spec"]["containers"]
    return {each["name"]: each.get("value") for each in container["env"]}


def _fixed_and_found(platform: Platform, pod: Document) -> set[RuleName]:
    """Return the rules that find something in a pod, which the platform's engine then fixes."""
    engine = Engine(policy_settings(platform))
    review = Review(pod["metadata"]["namespace"], dt.datetime.now(tz=dt.UTC).date())
    return {RuleName(outcome.finding.rule) for outcome in engine.admit(pod, review).outcomes}


def test_every_node_of_a_job_is_a_pod_with_all_that_its_pool_has(
    cluster: TrainingCluster, evidence: Evidence
) -> None:
    cluster.train("pretrain", "pretraining", "torch-h100", nodes=2)
    pods = cluster.pods("pretraining", "pretrain", 2)
    for pod in pods:
        (container,) = pod["spec"]["containers"]
        assert container["resources"]["limits"] == {
            "memory": "1740Gi",
            "nvidia.com/gpu": "8",
            "vpc.amazonaws.com/efa": "32",
        }
        variables = _variables(pod)
        assert {name: variables[name] for name in ("PET_NNODES", "PET_NPROC_PER_NODE")} == {
            "PET_NNODES": "2",
            "PET_NPROC_PER_NODE": "auto",
        }
        assert variables["FI_PROVIDER"] == "efa"
        assert isolated_job_labels()["jobset"] in pod["metadata"]["labels"]
        assert _fixed_and_found(cluster.platform, pod) == OF_A_TEAM
    evidence.show(
        "A TrainJob that names a pool's runtime gets whole nodes with their network, in pods that "
        "admission fixes in nothing but what is their team's",
        f"{len(pods)} pods of 8 GPUs and 32 EFA interfaces, as the JobSet controller made them",
    )


def test_runtimes_of_namespaces_that_pod_security_restricts_comply_with_it(
    cluster: TrainingCluster,
) -> None:
    for framework in ("torch", "jax"):
        cluster.train(framework, "experiments", f"{framework}-h100-spot", nodes=2)
        for pod in cluster.pods("experiments", framework, 2):
            assert _fixed_and_found(cluster.platform, pod) == OF_A_TEAM


@pytest.mark.parametrize("framework", ["deepspeed", "mpi"])
def test_a_launcher_waits_for_workers_that_listen(cluster: TrainingCluster, framework: str) -> None:
    name = f"{framework}-job"
    cluster.train(name, "experiments", f"{framework}-h100-spot", nodes=2)
    (worker,) = cluster.pods("experiments", name, 1)
    assert worker["spec"]["containers"][0]["command"] == ["/usr/sbin/sshd"]
    _report(cluster.client, worker, {"phase": "Running", "conditions": [_condition("Ready")]})
    launcher, _ = cluster.pods("experiments", name, 2)
    assert _variables(launcher)["OMPI_MCA_orte_set_default_slots"] == "8"
    assert _fixed_and_found(cluster.platform, launcher) == OF_A_TEAM


def test_a_job_starts_anew_where_a_node_of_it_is_drained(cluster: TrainingCluster) -> None:
    cluster.train("drained", "pretraining", "torch-h100", nodes=2)
    first, second = cluster.pods("pretraining", "drained", 2)
    status = {"phase": "Failed", "conditions": [_condition("DisruptionTarget")]}
    _report(cluster.client, first, status)
    before = {pod["metadata"]["uid"] for pod in (first, second)}
    job_set = manifest("jobset.x-k8s.io/v1alpha2 JobSet", "drained", "pretraining")
    restarted = cluster.client.wait_for(
        job_set, lambda found: bool(found.get("status", {}).get("restarts")), 60
    )
    told = [restarted["status"].get(name, 0) for name in ("restarts", "restartsCountTowardsMax")]
    assert told == [1, 0]
    after = {pod["metadata"]["uid"] for pod in cluster.pods("pretraining", "drained", 2)}
    assert before.isdisjoint(after)


def _condition(name: str) -> Document:
    return {"type": name, "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}


def _report(client: ApiClient, pod: Document, status: Document) -> None:
    """Report the state of a pod in the kubelet's place."""
    current = client.get("v1", "Pod", pod["metadata"]["name"], pod["metadata"]["namespace"])
    del current["metadata"]["resourceVersion"]  # controllers change the pod meanwhile
    client.replace_status({**current, "status": status})
