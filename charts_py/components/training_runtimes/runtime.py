"""A ClusterTrainingRuntime: what a TrainJob of some framework is on a pool.

Names of jobs and containers, labels, and the two jobs of MPI are those of Kubeflow's own runtimes:
https://github.com/kubeflow/trainer at v2.3.0 (charts/kubeflow-trainer/files/runtimes).
"""

from typing import Any

from charts_py.cluster_file.training import Framework
from charts_py.components.training_runtimes.pod import PodRole, pod_template
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.training_runtime import (
    API_VERSION,
    LAUNCHER,
    NODE,
    has_launcher,
    runtime_name,
)

_FRAMEWORK = "trainer.kubeflow.org/framework"
_TRAINER_STEP = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
"""Label of the job that Trainer gives image, command and variables of a TrainJob."""
_MAX_RESTARTS = 3
_FAILURE_POLICY = {
    "maxRestarts": _MAX_RESTARTS,
    "rules": [
        {
            "name": "disruption",
            "action": "RestartJobSetAndIgnoreMaxRestarts",
            "onJobFailureReasons": ["PodFailurePolicy"],
        }
    ],
}
"""A job whose pod was evicted, such as from a node that is drained, starts anew, however often
(https://github.com/kubernetes-sigs/jobset at v0.12.0, examples of failure policies)."""
_JOB = {
    "backoffLimit": 0,
    "podFailurePolicy": {
        "rules": [{"action": "FailJob", "onPodConditions": [{"type": "DisruptionTarget"}]}]
    },
}
"""A pod alone cannot join the others again: one that fails fails its job, with the reason."""
_MPI_HOME = "/home/mpiuser"
_SSH_PORT = 2222


def training_runtime(
    platform: Platform, pool: PlatformPool, framework: Framework, image: str
) -> Document:
    """Return the runtime of a framework on a pool."""
    parts = _of_mpi if has_launcher(framework) else _of_one_kind
    policy, template = parts(platform, pool, framework, image)
    metadata = ObjectMeta(runtime_name(framework, pool), labels={_FRAMEWORK: framework.value})
    spec = {"mlPolicy": {"numNodes": 1, **policy}, "template": {"spec": template}}
    return object_of(API_VERSION, "ClusterTrainingRuntime", metadata, {"spec": spec})


def _of_one_kind(
    platform: Platform, pool: PlatformPool, framework: Framework, image: str
) -> tuple[Document, Document]:
    template = pod_template(platform, pool, PodRole(image))
    jobs = [_job(NODE, template, labels=_TRAINER_STEP)]
    return {framework.value: {}}, _job_set(jobs)


def _of_mpi(
    platform: Platform, pool: PlatformPool, _: Framework, image: str
) -> tuple[Document, Document]:
    """Return workers that listen, and a launcher that is one of them, once they do."""
    worker, launcher = (
        pod_template(platform, pool, PodRole(image, container, knows_user=True))
        for container in (_SSH_SERVER, {})
    )
    policy = {
        # As many as there are GPUs.
        "numProcPerNode": 1,
        "mpiImplementation": "OpenMPI",
        "sshAuthMountPath": f"{_MPI_HOME}/.ssh",
        "runLauncherAsNode": True,
    }
    after = {"dependsOn": [{"name": NODE, "status": "Ready"}]}
    jobs = [
        _job(NODE, worker),
        {**_job(LAUNCHER, launcher, labels=_TRAINER_STEP), **after},
    ]
    success = {"operator": "All", "targetReplicatedJobs": [LAUNCHER]}
    return {"mpi": policy}, {**_job_set(jobs), "successPolicy": success}


_SSH_SERVER = {
    "command": ["/usr/sbin/sshd"],
    "args": ["-De", "-f", f"{_MPI_HOME}/.sshd_config"],
    "readinessProbe": {"tcpSocket": {"port": _SSH_PORT}, "initialDelaySeconds": 5},
}


def _job_set(jobs: list[Document]) -> Document:
    return {
        # Ranks look for each other before they are ready.
        "network": {"publishNotReadyAddresses": True},
        "failurePolicy": _FAILURE_POLICY,
        "replicatedJobs": jobs,
    }


def _job(name: str, template: Document, labels: dict[str, str] | None = None) -> Document:
    metadata: dict[str, Any] = {"metadata": {"labels": labels}} if labels else {}
    return {"name": name, "template": {**metadata, "spec": {**_JOB, "template": template}}}
