"""A PyTorchJob of Kubeflow's training operator.

Of workers alone: beside a master, the operator gives workers an init container without a security
context, which namespaces of the level `restricted` refuse; and torchrun's own rendezvous takes back
a worker that starts again. https://github.com/kubeflow/training-operator at v1.9.3
(pkg/controller.v1/pytorch/initcontainer.go, envvar.go and elastic.go)
"""

from collections.abc import Iterator

from gpuplane.workloads import torchrun
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kubeflow import API_VERSION, RESTARTS, restart_policy, run_policy
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.notes import without_training_operator
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request
from policies.workloads.job_label import KUBEFLOW


def build(request: Request) -> Iterator[Tree]:
    """Yield a PyTorchJob."""
    container = Container(
        name="pytorch", command=torchrun.torchrun(request), env=torchrun.env(request)
    )
    worker = {
        "replicas": request.nodes,
        "restartPolicy": restart_policy(),
        "template": gpu_pod(request, container, together(request, KUBEFLOW.key)),
    }
    yield from companions(request)
    yield {
        **queued(request, API_VERSION, "PyTorchJob"),
        "spec": {
            "runPolicy": run_policy(request, restarting=request.nodes),
            "nprocPerNode": because(
                torchrun.PROCESSES_PER_NODE, "torchrun starts a process for each GPU of a pod"
            ),
            "elasticPolicy": _rendezvous(),
            "pytorchReplicaSpecs": because(
                {"Worker": worker},
                "no master: workers meet at the first one, and its number of pods is that of all",
            ),
        },
    }


def _rendezvous() -> Tree:
    return {
        "rdzvBackend": because("c10d", "a worker that starts again joins the others"),
        "maxRestarts": because(RESTARTS, "as often all processes start again together"),
    }


PYTORCHJOB = Kind(
    name="pytorchjob",
    summary="PyTorch on one or many nodes, by Kubeflow's training operator",
    build=build,
    notes=without_training_operator,
)
