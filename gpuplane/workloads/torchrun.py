"""Starting a PyTorch program, one process for each GPU.

torchrun takes its options from variables, too, whose names begin with `PET_`:
https://docs.pytorch.org/docs/stable/elastic/run.html
"""

from charts_py.platform.fabric import GRACE_SECONDS
from gpuplane.workloads.pod_template import Container
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

PROCESSES_PER_NODE = "gpu"
"""One process for each GPU of the pod; unlike with `auto`, a pod without any is an error."""
_PORT = 29500
_RANK = "metadata.labels['batch.kubernetes.io/job-completion-index']"
_SHUTDOWN = 100
"""Seconds that torchrun leaves its processes, within the grace."""
_PER_GPU = "a process for each GPU that the pod has"


def container(request: Request, master: str = "") -> Container:
    """Return the container of a job that numbers its pods; `master` is the name of the first."""
    return Container(command=_command(request), env=(*_ranks(request, master), *env(request)))


def _command(request: Request) -> list[Tree]:
    """Return what starts the program: torchrun, unless there is one process alone."""
    if request.world_size == 1:
        return ["python", *request.program]
    if request.nodes == 1:
        per_gpu = Because(f"--nproc-per-node={PROCESSES_PER_NODE}", _PER_GPU)
        return ["torchrun", "--standalone", per_gpu, *request.program]
    return torchrun(request)


def torchrun(request: Request) -> list[Tree]:
    """Return torchrun with its options in variables, which a controller or `container` sets."""
    return ["torchrun", *request.program]


def env(request: Request) -> tuple[Tree, ...]:
    """Return the variable by which torchrun leaves its processes time, if it starts any.

    https://github.com/pytorch/pytorch/issues/68258
    """
    variable = {"name": "TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "value": str(_SHUTDOWN)}
    why = (
        "torchrun kills its processes 30 s after SIGTERM otherwise; below the grace of "
        f"{GRACE_SECONDS} s"
    )
    return (Because(variable, why),) if request.world_size > 1 else ()


def indexed(request: Request) -> dict[str, Tree]:
    """Return the fields of a Job that numbers its pods."""
    return {
        "completionMode": Because("Indexed", "each pod has a number, the rank of its node"),
        "completions": Because(request.nodes, "every pod has to succeed"),
        "parallelism": Because(request.nodes, "all of them run at once"),
    }


def _ranks(request: Request, master: str) -> tuple[Tree, ...]:
    if request.nodes == 1:
        return ()
    nodes = Because(str(request.nodes), "as many as there are pods")
    rank = Because({"fieldRef": {"fieldPath": _RANK}}, "the number of the pod")
    return (
        {"name": "PET_NNODES", "value": nodes},
        {"name": "PET_NPROC_PER_NODE", "value": Because(PROCESSES_PER_NODE, _PER_GPU)},
        {"name": "PET_NODE_RANK", "valueFrom": rank},
        {
            "name": "PET_MASTER_ADDR",
            "value": Because(master, "the first pod, where all of them meet"),
        },
        {"name": "PET_MASTER_PORT", "value": str(_PORT)},
    )
