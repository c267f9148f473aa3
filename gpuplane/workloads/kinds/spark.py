"""A Spark cluster of its own for a program, as a JobSet: a driver, and workers with GPUs.

In place of executors that the driver makes through the API server: for these its pod needs rights
that no team can give it, and Kueue counts them in no queue, since their owner is a pod that it has
let start (`FindAncestorJobManagedByKueue` in https://github.com/kubernetes-sigs/kueue,
pkg/controller/jobframework/reconciler.go at v0.19.2).
https://spark.apache.org/docs/latest/spark-standalone.html, and
https://github.com/kubernetes-sigs/jobset, api/jobset/v1alpha2/jobset_types.go at v0.12.0

The RAPIDS Accelerator runs its SQL on GPUs. An executor has one, and each of its cores a task:
https://docs.nvidia.com/spark-rapids/user-guide/latest/getting-started/overview.html
"""

from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.cluster_file.pool import Purpose
from gpuplane.workloads.compute import gpu_compute, launcher_resources
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kinds import jobset
from gpuplane.workloads.lifetime import KEPT, KEPT_FOR_ITS_LOG, deadline, disruptions_ignored
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import Mounted, companions, stored
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import CONTAINER_SECURITY, Container, gpu_pod, launcher_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import LAUNCHER, Compute, Request
from gpus.model import NVIDIA
from policies.workloads.job_label import JOB_SET

_HOME = "/opt/spark"
_DISCOVERY = f"{_HOME}/examples/src/main/scripts/getGpusResources.sh"
_USER = 185
"""The user of Apache's image (https://github.com/apache/spark-docker, Dockerfile.template):
Hadoop's libraries do not start for a user without a name."""
_PORT = 7077
_ATTEMPTS = 3
_DRIVER, _WORKER, _SCRATCH = "driver", "worker", "scratch"
_SCRATCH_PATH = f"/{_SCRATCH}"
_MASTER = Compute(1000, 2 * 2**30)
_LAST = "after those with GPUs: Kueue admits no job of which pods without any come first"
"""`assignFlavors` in https://github.com/kubernetes-sigs/kueue,
pkg/scheduler/flavorassigner/flavorassigner.go at v0.19.2: it returns before the other pods where
the queue counts nothing of what these ask for."""
_HEAP_OF_DRIVER = LAUNCHER.memory // 2
"""The rest is for Python, and what Java has outside of the heap."""


_GIB, _MIB = 2**30, 2**20
_HEAP_PER_CORE = 2 * _GIB
"""The largest heap for each core; RAPIDS and Python work outside it. The figure is that of NVIDIA's
AutoTuner (https://github.com/NVIDIA/spark-rapids-tools, core/.../tuning/AutoTuner.scala)."""
_MIN_HEAP = 512 * _MIB
"""Spark starts with no less than 450 MiB (`UnifiedMemoryManager`, `MIN_MEMORY`)."""
_MAX_PINNED = 4 * _GIB


@dataclass(frozen=True, slots=True)
class _Executor:
    """What an executor has of its pod."""

    cores: int
    heap: int
    """Bytes."""
    pinned: int
    """Bytes."""


def build(request: Request) -> Iterator[Tree]:
    yield from companions(request, leaders=1)
    done = {"operator": "All", "targetReplicatedJobs": [_DRIVER]}
    templates = (
        (_WORKER, jobset.job_template(request, _workers(request))),
        (Because(_DRIVER, _LAST), {"spec": _driver(request)}),
    )
    spec = {
        **KEPT,
        "successPolicy": Because(done, "done once the program is: workers wait for others"),
        **jobset.pod_names("a name for the driver's pod, by which workers find it"),
        "replicatedJobs": [
            {"name": name, "replicas": 1, "template": template} for name, template in templates
        ],
    }
    yield queued(request, *jobset.JOB_SET_TYPE, spec)


def _driver(request: Request) -> Tree:
    container = Container(
        name=_DRIVER, command=_submit(request), user=_USER, beside=(_master(request),)
    )
    return {
        "backoffLimit": Because(_ATTEMPTS, "fails for good after as many attempts"),
        **disruptions_ignored(request),
        **deadline(request),
        "template": launcher_pod(request, container, KEPT_FOR_ITS_LOG, stored(request)),
    }


def _submit(request: Request) -> list[Tree]:
    heap = Because(
        f"spark.driver.memory={_megabytes(_HEAP_OF_DRIVER)}",
        "half of the memory limit: Python has the rest",
    )
    properties = [heap, *_rapids(request)]
    options = [option for each in properties for option in ("--conf", each)]
    submit = (f"{_HOME}/bin/spark-submit", "--master", _address(request))
    return [*submit, *options, *request.program]


def _master(request: Request) -> Tree:
    return {
        "name": "master",
        "image": request.image,
        "command": [f"{_HOME}/bin/spark-class", "org.apache.spark.deploy.master.Master"],
        "restartPolicy": Because("Always", "a sidecar: it is there while the driver is"),
        "resources": launcher_resources(_MASTER),
        "securityContext": CONTAINER_SECURITY,
    }


def _workers(request: Request) -> Tree:
    each = _executor(request)
    container = Container(
        name=_WORKER,
        command=[
            f"{_HOME}/bin/spark-class",
            "org.apache.spark.deploy.worker.Worker",
            "--cores",
            Because(str(each.cores * request.gpus), "those of its executors"),
            "--memory",
            _megabytes(each.heap * request.gpus),
            "--work-dir",
            Because(_SCRATCH_PATH, "the image's own may be another user's"),
            _address(request),
        ],
        env=(_worker_options(request),),
        user=_USER,
    )
    never = Because("Never", "another pod takes the place of one that failed")
    fields = {"restartPolicy": never, **together(request, JOB_SET.key)}
    mounted = _scratch() + stored(request)
    return {
        "parallelism": Because(request.nodes, "all of them run at once"),
        "completions": Because(request.nodes, "none of them ends by itself"),
        "backoffLimit": Because(
            _ATTEMPTS * request.nodes, "Spark computes again what a worker had that failed"
        ),
        **disruptions_ignored(request),
        "template": gpu_pod(request, container, fields, mounted),
    }


def _worker_options(request: Request) -> Tree:
    stated = {
        "spark.worker.resource.gpu.amount": str(request.gpus),
        "spark.worker.resource.gpu.discoveryScript": _DISCOVERY,
        "spark.worker.preferConfiguredMasterAddress": "true",
    }
    value = " ".join(f"-D{name}={each}" for name, each in stated.items())
    variable = {"name": "SPARK_WORKER_OPTS", "value": value}
    why = (
        "an executor for each GPU; a driver that starts again is found by its name, not its address"
    )
    return Because(variable, why)


def _scratch() -> Mounted:
    return Mounted(
        (Because({"name": _SCRATCH, "emptyDir": {}}, "what tasks exchange, and do not keep"),),
        ({"name": _SCRATCH, "mountPath": _SCRATCH_PATH},),
        (Because({"name": "SPARK_LOCAL_DIRS", "value": _SCRATCH_PATH}, "on that volume"),),
    )


def _address(request: Request) -> str:
    return f"spark://{jobset.first_pod(request, _DRIVER)}:{_PORT}"


def _executor(request: Request) -> _Executor:
    """Return the part of a pod that belongs to one of its GPUs."""
    pod = gpu_compute(request)
    cores = max(pod.millicpu // 1000 // request.gpus, 1)
    memory = pod.memory // request.gpus
    heap = max(min(memory // 4, cores * _HEAP_PER_CORE), _MIN_HEAP)
    return _Executor(cores, heap, min(memory // 8, _MAX_PINNED))


def _megabytes(size: int) -> str:
    return f"{size // _MIB}m"


def _rapids(request: Request) -> Iterator[Tree]:
    each = _executor(request)
    yield Because("spark.plugins=com.nvidia.spark.SQLPlugin", "RAPIDS runs SQL on GPUs")
    yield Because("spark.executor.resource.gpu.amount=1", "RAPIDS uses one GPU in each executor")
    yield Because(
        f"spark.executor.cores={each.cores}", "the part of the pod's CPUs that one GPU is"
    )
    yield Because(
        f"spark.task.resource.gpu.amount={_part(each.cores)}",
        "all tasks of an executor share its GPU; with 1, there would be one at a time",
    )
    yield Because(
        f"spark.executor.memory={_megabytes(each.heap)}",
        "the heap; most of the memory limit is left to what RAPIDS keeps outside of it",
    )
    yield Because(
        f"spark.rapids.memory.pinnedPool.size={_megabytes(each.pinned)}",
        "memory that the GPU copies from and to directly, and spills to; none otherwise",
    )
    yield from _shared_gpu(request)


def _shared_gpu(request: Request) -> Iterator[Tree]:
    replicas = request.pool.facts.sharing.time_slicing
    if replicas == 1:
        return
    why = f"{replicas} pods share a GPU, and RAPIDS takes all of its memory otherwise"
    for name, value in (
        ("allocFraction", _part(replicas)),
        ("maxAllocFraction", _part(replicas)),
        ("minAllocFraction", "0"),
    ):
        yield Because(f"spark.rapids.memory.gpu.{name}={value}", why)


def _part(of: int) -> str:
    """Write one of so many parts, rounded down so that all of them fit."""
    return f"{10_000 // of / 10_000:g}"


def _notes(request: Request) -> Iterator[str]:
    yield from jobset.without_job_set(request)
    yield (
        f"{request.image} must have Spark in {_HOME}, the jar of the RAPIDS Accelerator in "
        f"{_HOME}/jars, and a user {_USER}, as Apache's image of Spark"
    )


SPARK = Kind(
    name="spark",
    summary="a program on Spark, whose SQL runs on GPUs by RAPIDS",
    build=build,
    beside=LAUNCHER + _MASTER,
    purposes=(Purpose.BATCH, Purpose.TRAINING),
    whole_nodes=False,
    is_collective=False,
    pools=lambda platform: platform.pools_of(NVIDIA),
    why_pools="RAPIDS runs on NVIDIA GPUs",
    annotates_gang=True,
    notes=_notes,
)
