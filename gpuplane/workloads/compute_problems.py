"""Whether the quota of a namespace has CPUs and memory for the pods of a workload."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from gpuplane.workloads.compute import gpu_compute, quota_compute
from gpuplane.workloads.compute_amount import NOTHING
from gpuplane.workloads.request import Request


def compute_problems(request: Request) -> Iterator[Problem]:
    """Yield a problem where it leaves nothing to pods with GPUs."""
    each, name = gpu_compute(request), request.namespace.name
    if each.millicpu > 0 and each.memory > 0:
        return
    others = f" beside {request.beside} for those without" if request.beside != NOTHING else ""
    what = (
        f"the quota of {name} ({quota_compute(request)}) has nothing for each of {request.nodes} "
        f"pods with GPUs{others}"
    )
    yield Problem(("--nodes",), what, "fewer pods, or more CPUs and memory in the quota")
