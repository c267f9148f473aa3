"""What the jobs of Kubeflow's training operator have in common.

https://github.com/kubeflow/training-operator, pkg/apis/kubeflow.org/v1/common_types.go at v1.9.3
"""

from gpuplane.workloads.lifetime import deadline, kept
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request

API_VERSION = "kubeflow.org/v1"
RESTARTS = 3


def run_policy(request: Request, restarting: int) -> Tree:
    """Return `spec.runPolicy` of a job, so many pods of which start again after they have failed.

    The operator adds up the restarts of these (`PastBackoffLimit` in pkg/core/job.go).
    """
    return {
        "cleanPodPolicy": because(
            "Running",
            "no pod is left with GPUs after the end; Kueue waits for that "
            "(https://github.com/kubernetes-sigs/kueue/issues/1574)",
        ),
        "backoffLimit": because(
            RESTARTS * restarting, "fails for good at as many restarts, those of all pods together"
        ),
        **deadline(request),
        **kept(),
    }


def restart_policy() -> Tree:
    """Return `restartPolicy` of replicas that are to come back."""
    return because(
        "OnFailure", "a pod that failed, or whose node is gone, starts again from a checkpoint"
    )
