"""Settings of Spark by which the RAPIDS Accelerator runs its SQL on GPUs.

An executor has one GPU, and each of its cores a task:
https://docs.nvidia.com/spark-rapids/user-guide/latest/getting-started/overview.html
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gpuplane.workloads.compute import gpu_compute
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

_GIB, _MIB = 2**30, 2**20
_HEAP_PER_CORE = 2 * _GIB
"""The largest heap for each core; RAPIDS and Python work outside it. The figure is that of NVIDIA's
AutoTuner (https://github.com/NVIDIA/spark-rapids-tools, core/.../tuning/AutoTuner.scala)."""
_MIN_HEAP = 512 * _MIB
"""Spark starts with no less than 450 MiB (`UnifiedMemoryManager`, `MIN_MEMORY`)."""
_MAX_PINNED = 4 * _GIB


@dataclass(frozen=True, slots=True)
class Executor:
    """What an executor has of its pod."""

    cores: int
    heap: int
    """Bytes."""
    pinned: int
    """Bytes."""


def executor(request: Request) -> Executor:
    """Return the part of a pod that belongs to one of its GPUs."""
    pod = gpu_compute(request)
    cores = max(pod.millicpu // 1000 // request.gpus, 1)
    memory = pod.memory // request.gpus
    heap = max(min(memory // 4, cores * _HEAP_PER_CORE), _MIN_HEAP)
    return Executor(cores, heap, min(memory // 8, _MAX_PINNED))


def megabytes(size: int) -> str:
    return f"{size // _MIB}m"


def settings(request: Request) -> Iterator[Tree]:
    each = executor(request)
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
        f"spark.executor.memory={megabytes(each.heap)}",
        "the heap; most of the memory limit is left to what RAPIDS keeps outside of it",
    )
    yield Because(
        f"spark.rapids.memory.pinnedPool.size={megabytes(each.pinned)}",
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
