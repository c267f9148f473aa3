"""A TrainJob of Kubeflow Trainer, by the runtime that the platform has for its pool.

The runtime brings placement, network, /dev/shm, security and restarts. A TrainJob can patch neither
the priority nor the claims of its pods.
https://github.com/kubeflow/trainer, pkg/apis/trainer/v1alpha1/trainjob_types.go at v2.3.0
"""

from collections.abc import Iterator

from charts_py.spec.training import Framework
from charts_py.workloads import torchrun
from charts_py.workloads.checkpoint import checkpoint_claim
from charts_py.workloads.kind import Kind
from charts_py.workloads.lifetime import deadline
from charts_py.workloads.metadata import queued_metadata
from charts_py.workloads.network import network
from charts_py.workloads.notes import without_trainer
from charts_py.workloads.reason import Tree, because
from charts_py.workloads.request import Request
from charts_py.workloads.stored import stored

_MANAGER = "gpuplane.io/new"
_NODE = "node"
"""Of the runtime, the job and its container that Trainer changes."""
_LAUNCHER = "launcher"
"""Of a runtime of MPI, the job that starts the processes, and computes, too."""


def build(request: Request) -> Iterator[Tree]:
    """Yield a TrainJob."""
    yield from checkpoint_claim(request, request.nodes)
    yield {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": queued_metadata(request),
        "spec": {
            "runtimeRef": because(
                {"name": f"{request.framework}-{request.pool.name}"},
                "brings placement, network and memory of the pool's nodes",
            ),
            **deadline(request),
            "trainer": _trainer(request),
            "runtimePatches": [_patch(request)],
        },
    }


def _trainer(request: Request) -> Tree:
    return {
        "numNodes": because(request.nodes, "one pod for each"),
        "image": request.image,
        "command": _command(request),
        "env": [*_env(request), *stored(request).env],
        **_resources(request),
    }


def _resources(request: Request) -> dict[str, Tree]:
    """Return the GPUs of the runtime, unless its container claims a channel, too.

    Trainer drops the claims of a container where a job states resources (`newRuntimeInfo` in
    https://github.com/kubeflow/trainer, pkg/runtime/core/trainingruntime.go at v2.3.0).
    """
    if network(request).claims_channel:
        return {}
    gpus = {request.resource.name: str(request.gpus)}
    why = "the runtime's, said again: Trainer counts the processes of a pod by these alone"
    return {"resourcesPerNode": because({"limits": gpus, "requests": gpus}, why)}


def _command(request: Request) -> list[Tree]:
    if request.framework is Framework.TORCH:
        return torchrun.torchrun(request)
    if _has_launcher(request):
        why = "starts as many processes as there are GPUs, on the hosts that Trainer names"
        return [because("mpirun", why), "python", *request.program]
    return ["python", *request.program]


def _env(request: Request) -> tuple[Tree, ...]:
    return torchrun.env(request) if request.framework is Framework.TORCH else ()


def _has_launcher(request: Request) -> bool:
    """Tell whether the first of the pods starts the processes of all."""
    return request.framework in (Framework.MPI, Framework.DEEPSPEED)


def _jobs(request: Request) -> tuple[str, ...]:
    """Return those of the runtime whose pods compute."""
    return (_NODE, _LAUNCHER) if _has_launcher(request) else (_NODE,)


def _patch(request: Request) -> Tree:
    mounted = stored(request)
    node = {"name": _NODE, "volumeMounts": list(mounted.mounts)}
    spec = {"containers": [node], "volumes": list(mounted.volumes)}
    pod: dict[str, Tree] = {
        "metadata": {"labels": because(dict(request.labels), "by which its cost is the team's")},
        **({"spec": spec} if mounted.volumes else {}),
    }
    jobs = [{"name": name, "template": {"spec": {"template": pod}}} for name in _jobs(request)]
    return {
        "manager": because(_MANAGER, "who patches the runtime: Kueue does it by a name of its own"),
        "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}},
    }


TRAINJOB = Kind(
    name="trainjob",
    summary="PyTorch, JAX, DeepSpeed or MPI on whole nodes, by Kubeflow Trainer",
    build=build,
    frameworks=tuple(Framework),
    only_whole_nodes=True,
    notes=without_trainer,
)
