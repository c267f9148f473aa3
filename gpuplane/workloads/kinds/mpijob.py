"""An MPIJob of Kubeflow's training operator: a launcher without GPUs, and workers.

The launcher reaches workers by `kubectl exec`, with an account that the operator makes, and an init
container that the operator adds and gives no security context.
https://github.com/kubeflow/training-operator, pkg/controller.v1/mpi/mpijob_controller.go at v1.9.3
"""

from collections.abc import Iterator

from charts_py.cluster_file.team import PodSecurity
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kubeflow import API_VERSION, run_policy
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.notes import without_training_operator
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod, launcher_pod
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import LAUNCHER, Request
from policies.workloads.job_label import KUBEFLOW

_CONTAINER = "mpi"


def build(request: Request) -> Iterator[Tree]:
    """Yield an MPIJob."""
    yield from companions(request)
    yield {
        **queued(request, API_VERSION, "MPIJob"),
        "spec": {
            "runPolicy": run_policy(request, restarting=1),
            "slotsPerWorker": because(
                request.gpus, "a process for each GPU of a worker; mpirun starts as many"
            ),
            "mpiReplicaSpecs": {"Launcher": _launcher(request), "Worker": _worker(request)},
        },
    }


def _launcher(request: Request) -> Tree:
    command: list[Tree] = ["mpirun", "--bind-to", "none", "python", *request.program]
    template = launcher_pod(request, Container(name=_CONTAINER, command=command), {})
    # It starts processes in the workers through the API server.
    template["spec"].pop("automountServiceAccountToken")
    return {
        "replicas": 1,
        "restartPolicy": because("OnFailure", "mpirun starts again, from a checkpoint"),
        "template": template,
    }


def _worker(request: Request) -> Tree:
    template = gpu_pod(request, Container(name=_CONTAINER), together(request, KUBEFLOW.key))
    return {
        "replicas": request.nodes,
        "restartPolicy": because("Never", "workers only wait for mpirun"),
        "template": template,
    }


def _notes(request: Request) -> Iterator[str]:
    yield from without_training_operator(request)
    spec, name = request.namespace.spec, request.namespace.name
    if spec.pod_security is PodSecurity.RESTRICTED:
        yield (
            f"{name} refuses the launcher: the training operator gives an init container of it no "
            "security context (podSecurity: baseline)"
        )
    if not spec.api_server:
        yield f"{name} keeps the launcher from the API server, by which it starts (apiServer: true)"


MPIJOB = Kind(
    name="mpijob",
    summary="MPI on one or many nodes, by Kubeflow's training operator",
    build=build,
    beside=LAUNCHER,
    notes=_notes,
)
