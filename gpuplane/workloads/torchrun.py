"""Starting a PyTorch program, one process for each GPU.

torchrun takes its options from variables, too, whose names begin with `PET_`:
https://docs.pytorch.org/docs/stable/elastic/run.html
"""

from gpuplane.workloads.lifetime import shutdown_timeout
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request

PORT = 29500
PROCESSES_PER_NODE = "gpu"
"""As many as the pod has GPUs; unlike with `auto`, none is an error."""


def command(request: Request) -> list[Tree]:
    """Return what starts the program: torchrun, unless there is one process alone."""
    if request.world_size == 1:
        return ["python", *request.program]
    if request.nodes == 1:
        return ["torchrun", "--standalone", _per_gpu(), *request.program]
    return torchrun(request)


def torchrun(request: Request) -> list[Tree]:
    """Return torchrun with its options in variables, which a controller or `ranks` sets."""
    return ["torchrun", *request.program]


def env(request: Request) -> tuple[Tree, ...]:
    """Return the variables that every torchrun has."""
    return (shutdown_timeout(),) if request.world_size > 1 else ()


def ranks(request: Request, master: str, rank: str) -> tuple[Tree, ...]:
    """Return the variables of torchrun on many nodes that no controller sets.

    `master` is the name of the first pod, `rank` the field of a pod that has its number.
    """
    if request.nodes == 1:
        return ()
    return (
        {
            "name": "PET_NNODES",
            "value": because(str(request.nodes), "as many as there are pods"),
        },
        {
            "name": "PET_NPROC_PER_NODE",
            "value": because(PROCESSES_PER_NODE, "a process for each GPU that the pod has"),
        },
        {
            "name": "PET_NODE_RANK",
            "valueFrom": because({"fieldRef": {"fieldPath": rank}}, "the number of the pod"),
        },
        {
            "name": "PET_MASTER_ADDR",
            "value": because(master, "the first pod, where all of them meet"),
        },
        {"name": "PET_MASTER_PORT", "value": str(PORT)},
    )


def _per_gpu() -> Tree:
    return because(
        f"--nproc-per-node={PROCESSES_PER_NODE}", "a process for each GPU that the pod has"
    )
