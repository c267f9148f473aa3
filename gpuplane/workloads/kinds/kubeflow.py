"""Jobs of Kubeflow's training operator: PyTorchJob, TFJob and MPIJob.

https://github.com/kubeflow/training-operator at v1.9.3 (pkg/apis/kubeflow.org/v1/common_types.go)

A PyTorchJob has workers alone: beside a master, the operator gives workers an init container
without a security context, which namespaces of the level `restricted` refuse; and torchrun's own
rendezvous takes back a worker that starts again (pkg/controller.v1/pytorch/initcontainer.go,
envvar.go and elastic.go).

The workers of a TFJob each use all GPUs of their pod. The operator lists them all in `TF_CONFIG`,
as MultiWorkerMirroredStrategy reads it (pkg/controller.v1/tensorflow).

The launcher of an MPIJob has no GPUs. It reaches workers by `kubectl exec`, with an account that
the operator makes, and an init container that the operator adds and gives no security context
(pkg/controller.v1/mpi/mpijob_controller.go).
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from gpuplane.workloads import torchrun
from gpuplane.workloads.kind import Kind, not_installed
from gpuplane.workloads.lifetime import KEPT, deadline
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod, launcher_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import LAUNCHER, Request
from policies.settings import PodSecurity
from policies.workloads.job_label import KUBEFLOW

_API_VERSION = "kubeflow.org/v1"
_RESTARTS = 3
_MPI = "mpi"
_COMES_BACK = Because(
    "OnFailure", "a pod that failed, or whose node is gone, starts again from a checkpoint"
)


def _pytorch_job(request: Request) -> Iterator[Tree]:
    container = Container(
        name="pytorch", command=torchrun.torchrun(request), env=torchrun.env(request)
    )
    yield from companions(request)
    spec = {
        "runPolicy": _run_policy(request, restarting=request.nodes),
        "nprocPerNode": Because(
            torchrun.PROCESSES_PER_NODE, "torchrun starts a process for each GPU of a pod"
        ),
        "elasticPolicy": {
            "rdzvBackend": Because("c10d", "a worker that starts again joins the others"),
            "maxRestarts": Because(_RESTARTS, "as often all processes start again together"),
        },
        "pytorchReplicaSpecs": Because(
            {"Worker": _workers(request, container, _COMES_BACK)},
            "no master: workers meet at the first one, and its number of pods is that of all",
        ),
    }
    yield queued(request, _API_VERSION, "PyTorchJob", spec)


def _tf_job(request: Request) -> Iterator[Tree]:
    container = Container(name="tensorflow", command=["python", *request.program])
    yield from companions(request)
    spec = {
        "runPolicy": _run_policy(request, restarting=request.nodes),
        "successPolicy": Because("AllWorkers", "every worker has to succeed, not the first"),
        "tfReplicaSpecs": {"Worker": _workers(request, container, _COMES_BACK)},
    }
    yield queued(request, _API_VERSION, "TFJob", spec)


def _mpi_job(request: Request) -> Iterator[Tree]:
    waits = Because("Never", "workers only wait for mpirun")
    yield from companions(request)
    spec = {
        "runPolicy": _run_policy(request, restarting=1),
        "slotsPerWorker": Because(
            request.gpus, "a process for each GPU of a worker; mpirun starts as many"
        ),
        "mpiReplicaSpecs": {
            "Launcher": _launcher(request),
            "Worker": _workers(request, Container(name=_MPI), waits),
        },
    }
    yield queued(request, _API_VERSION, "MPIJob", spec)


def _run_policy(request: Request, restarting: int) -> Tree:
    """Return `spec.runPolicy` of a job, so many pods of which start again after they have failed.

    The operator adds up the restarts of these (`PastBackoffLimit` in pkg/core/job.go).
    """
    return {
        "cleanPodPolicy": Because(
            "Running",
            "no pod is left with GPUs after the end; Kueue waits for that "
            "(https://github.com/kubernetes-sigs/kueue/issues/1574)",
        ),
        "backoffLimit": Because(
            _RESTARTS * restarting, "fails for good at as many restarts, those of all pods together"
        ),
        **deadline(request),
        **KEPT,
    }


def _workers(request: Request, container: Container, restart_policy: Tree) -> Tree:
    return {
        "replicas": request.nodes,
        "restartPolicy": restart_policy,
        "template": gpu_pod(request, container, together(request, KUBEFLOW.key)),
    }


def _launcher(request: Request) -> Tree:
    command: list[Tree] = ["mpirun", "--bind-to", "none", "python", *request.program]
    template = launcher_pod(request, Container(name=_MPI, command=command), {})
    # It starts processes in the workers through the API server.
    template["spec"].pop("automountServiceAccountToken")
    return {
        "replicas": 1,
        "restartPolicy": Because("OnFailure", "mpirun starts again, from a checkpoint"),
        "template": template,
    }


def _notes(request: Request) -> Iterator[str]:
    if request.platform.cluster.training.training_operator is None:
        yield not_installed(request, "Kubeflow's training operator", "training.trainingOperator")


def _mpi_notes(request: Request) -> Iterator[str]:
    yield from _notes(request)
    operator = request.platform.cluster.training.training_operator
    if operator is not None and not operator.mpi_jobs:
        yield not_installed(request, "MPIJobs of version 1", "training.trainingOperator.mpiJobs")


def _mpi_problems(request: Request) -> Iterator[Problem]:
    spec, name = request.namespace.spec, request.namespace.name
    allowed = "`gpuplane new trainjob --framework mpi`, or a namespace with "
    if spec.pod_security is PodSecurity.RESTRICTED:
        what = (
            f"{name} refuses the launcher, to which the training operator adds an init container "
            "without a security context"
        )
        yield Problem(("--namespace",), what, f"{allowed}podSecurity: baseline")
    if not spec.api_server:
        what = f"{name} keeps the launcher from the API server, by which it starts"
        yield Problem(("--namespace",), what, f"{allowed}apiServer: true")


PYTORCHJOB = Kind(
    name="pytorchjob",
    summary="PyTorch on one or many nodes, by Kubeflow's training operator",
    build=_pytorch_job,
    notes=_notes,
)
TFJOB = Kind(
    name="tfjob",
    summary="TensorFlow on one or many nodes, by Kubeflow's training operator",
    build=_tf_job,
    notes=_notes,
)
MPIJOB = Kind(
    name="mpijob",
    summary="MPI on one or many nodes, by Kubeflow's training operator",
    build=_mpi_job,
    beside=LAUNCHER,
    problems=_mpi_problems,
    notes=_mpi_notes,
)
