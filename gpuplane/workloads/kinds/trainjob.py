"""A TrainJob of Kubeflow Trainer, by the runtime that the platform has for its pool.

The runtime brings placement, network, /dev/shm, security and restarts. A TrainJob can patch neither
the priority nor the claims of its pods.
https://github.com/kubeflow/trainer, pkg/apis/trainer/v1alpha1/trainjob_types.go at v2.3.0
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.training import Framework
from charts_py.platform import fabric
from charts_py.platform.policy_settings import default_priority
from gpuplane.workloads import torchrun
from gpuplane.workloads.compute import gpu_compute, node_compute, quota_compute
from gpuplane.workloads.kind import Kind, not_installed
from gpuplane.workloads.lifetime import deadline
from gpuplane.workloads.metadata import gang_annotations, queued
from gpuplane.workloads.mounted import checkpoint_claim, stored
from gpuplane.workloads.network import network
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

_KIND = "TrainJob"
_MANAGER = "gpuplane.io/new"


def build(request: Request) -> Iterator[Tree]:
    yield from checkpoint_claim(request, request.nodes)
    spec = {
        "runtimeRef": Because(
            {"name": _runtime(request)}, "brings placement, network and memory of the pool's nodes"
        ),
        **deadline(request),
        "trainer": _trainer(request),
        "runtimePatches": [_patch(request)],
    }
    yield queued(request, fabric.API_VERSION, _KIND, spec)


def _runtime(request: Request) -> str:
    assert request.framework is not None  # noqa: S101 # a trainjob has one
    return fabric.runtime_name(request.framework, request.pool)


def _trainer(request: Request) -> Tree:
    env = torchrun.env(request) if request.framework is Framework.TORCH else ()
    return {
        "numNodes": Because(request.nodes, "one pod for each"),
        "image": request.image,
        "command": _command(request),
        "env": [*env, *stored(request).env],
        **_resources(request),
    }


def _resources(request: Request) -> dict[str, Tree]:
    """Return the runtime's GPUs, and CPUs and memory where the quota has less for each pod.

    Nothing where its container claims a channel, too: Trainer puts what a job states over what the
    runtime does, and drops the claims (`newRuntimeInfo` in https://github.com/kubeflow/trainer,
    pkg/runtime/core/trainingruntime.go at v2.3.0).
    """
    if network(request).claims_channel:
        return {}
    gpus = {request.resource.name: str(request.gpus)}
    why = "the runtime's, said again: Trainer counts the processes of a pod by these alone"
    resources = {"limits": gpus, "requests": gpus}
    if _is_bounded(request):
        amounts = gpu_compute(request).amounts()
        why = f"what the quota of {request.namespace.name} has for each pod, below the runtime's"
        resources = {
            "limits": {**gpus, "memory": amounts["memory"]},
            "requests": {**gpus, **amounts},
        }
    return {"resourcesPerNode": Because(resources, why)}


def _is_bounded(request: Request) -> bool:
    return gpu_compute(request) != node_compute(request)


def _check_request(request: Request) -> Iterator[Problem]:
    """Yield that the pods of the runtime are too large, where a job cannot state less."""
    if not (network(request).claims_channel and _is_bounded(request)):
        return
    each, quota = node_compute(request), quota_compute(request)
    most = min(quota.millicpu // each.millicpu, quota.memory // each.memory)
    what = (
        f"{request.nodes} pods of the runtime {_runtime(request)} ({each} each) are more than the "
        f"quota of {request.namespace.name} ({quota})"
    )
    yield Problem(("--nodes",), what, f"1 to {most}" if most else "more CPUs and memory in it")


def _command(request: Request) -> list[Tree]:
    if request.framework is Framework.TORCH:
        return torchrun.torchrun(request)
    if fabric.has_launcher(request.framework):
        why = "starts as many processes as there are GPUs, on the hosts that Trainer names"
        return [Because("mpirun", why), "python", *request.program]
    return ["python", *request.program]


def _patch(request: Request) -> Tree:
    mounted = stored(request)
    node = {"name": fabric.NODE, "volumeMounts": list(mounted.mounts)}
    spec = {"containers": [node], "volumes": list(mounted.volumes)}
    pod: dict[str, Tree] = {
        "metadata": {"labels": Because(dict(request.labels), "by which its cost is the team's")},
        **({"spec": spec} if mounted.volumes else {}),
    }
    jobs = [
        {"name": name, "template": {**_gang(request, pods), "spec": {"template": pod}}}
        for name, pods in _pods(request).items()
    ]
    return {
        "manager": Because(_MANAGER, "who patches the runtime: Kueue does it by a name of its own"),
        "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}},
    }


def _pods(request: Request) -> dict[str, int]:
    """Return the number of pods of each job: a launcher is one of the nodes.

    Trainer makes a worker beside it even for one (pkg/runtime/framework/plugins/mpi/mpi.go).
    """
    if fabric.has_launcher(request.framework):
        return {fabric.NODE: max(request.nodes - 1, 1), fabric.LAUNCHER: 1}
    return {fabric.NODE: request.nodes}


def _gang(request: Request, pods: int) -> dict[str, Tree]:
    """Return the metadata by which Volcano starts the pods of a job together.

    Trainer's own way, a `podGroupPolicy`, names the group in the template of the pods, where teams
    could name any, and has one group for all: its launcher is made once its workers are ready,
    which wait in the group for it (pkg/runtime/framework/plugins/volcano/volcano.go).
    """
    annotations = gang_annotations(request, fabric.API_VERSION, _KIND, pods)
    return {"metadata": {"annotations": annotations}} if annotations else {}


def _notes(request: Request) -> Iterator[str]:
    platform = request.platform
    if platform.cluster.training.trainer is None:
        trainer = f"Kubeflow Trainer, nor its runtime {_runtime(request)}"
        yield not_installed(request, trainer, "training.trainer")
    if _waits_for_launcher(request):
        yield "its launcher starts after its workers, which hold GPUs while it waits for its own"
    usual = default_priority(platform, request.namespace)
    if request.priority != usual:
        is_queued = platform.cluster.queue_engine is QueueEngine.KUEUE
        rest = f"{request.priority} ranks it in the queue alone" if is_queued else "it changes none"
        yield f"its pods have the priority {usual}, since a TrainJob cannot name theirs: {rest}"


def _waits_for_launcher(request: Request) -> bool:
    is_volcano = request.platform.cluster.queue_engine is QueueEngine.VOLCANO
    return is_volcano and fabric.has_launcher(request.framework)


TRAINJOB = Kind(
    name="trainjob",
    summary="PyTorch, JAX, DeepSpeed or MPI on whole nodes, by Trainer",
    build=build,
    annotates_gang=True,
    frameworks=tuple(Framework),
    only_whole_nodes=True,
    pools=fabric.runtime_pools,
    problems=_check_request,
    why_pools="Trainer has runtimes for pools of whole NVIDIA GPUs, several on a node",
    notes=_notes,
)
