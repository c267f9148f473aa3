"""A TFJob of Kubeflow's training operator, of workers that each use all GPUs of their pod.

The operator lists them all in `TF_CONFIG`, as MultiWorkerMirroredStrategy reads it.
https://github.com/kubeflow/training-operator at v1.9.3 (pkg/controller.v1/tensorflow)
"""

from collections.abc import Iterator

from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kubeflow import API_VERSION, restart_policy, run_policy
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.notes import without_training_operator
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request
from policies.workloads.job_label import KUBEFLOW


def build(request: Request) -> Iterator[Tree]:
    """Yield a TFJob."""
    command: list[Tree] = ["python", *request.program]
    worker = {
        "replicas": request.nodes,
        "restartPolicy": restart_policy(),
        "template": gpu_pod(
            request,
            Container(name="tensorflow", command=command),
            together(request, KUBEFLOW.key),
        ),
    }
    yield from companions(request)
    yield {
        **queued(request, API_VERSION, "TFJob"),
        "spec": {
            "runPolicy": run_policy(request, restarting=request.nodes),
            "successPolicy": because("AllWorkers", "every worker has to succeed, not the first"),
            "tfReplicaSpecs": {"Worker": worker},
        },
    }


TFJOB = Kind(
    name="tfjob",
    summary="TensorFlow on one or many nodes, by Kubeflow's training operator",
    build=build,
    notes=without_training_operator,
)
