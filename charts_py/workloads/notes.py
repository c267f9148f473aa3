"""What a cluster file lacks that workloads need, or would be better off with."""

from collections.abc import Iterator

from charts_py.workloads.request import Request


def not_together(request: Request) -> Iterator[str]:
    """Yield that nothing starts its pods all at once."""
    if request.nodes > 1 and request.platform.cluster.queues is None:
        yield (
            f"{request.platform.name} has no queues: pods that find GPUs hold them while others of "
            "the same job still wait"
        )


def without_job_set(request: Request) -> Iterator[str]:
    """Yield that JobSet is not in the cluster file."""
    if not request.platform.cluster.training.has_job_set:
        yield _not_installed(request, "JobSet", "training.jobSet")


def without_trainer(request: Request) -> Iterator[str]:
    """Yield that Kubeflow Trainer is not in the cluster file."""
    if request.platform.cluster.training.trainer is None:
        yield _not_installed(request, "Kubeflow Trainer", "training.trainer")


def without_training_operator(request: Request) -> Iterator[str]:
    """Yield that Kubeflow's training operator is not in the cluster file."""
    if request.platform.cluster.training.training_operator is None:
        yield _not_installed(request, "Kubeflow's training operator", "training.trainingOperator")


def without_ray(request: Request) -> Iterator[str]:
    """Yield that KubeRay is not in the cluster file."""
    if request.platform.cluster.training.ray is None:
        yield _not_installed(request, "KubeRay", "training.ray")


def _not_installed(request: Request, what: str, field: str) -> str:
    name = request.platform.name
    return f"the file of {name} does not install {what} ({field}): the cluster must have it anyway"
