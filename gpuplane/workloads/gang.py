"""Pods that start all at once: by their queue itself, or where their Job says how many."""

from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request


def gang_annotations(request: Request, api_version: str, kind: str) -> dict[str, Tree]:
    """Return the annotations of the Job of a workload of that kind by which its pods are a gang."""
    gangs = request.platform.contribution.gangs
    if request.nodes == 1 or gangs is None or gangs.min_member is None:
        return {}
    if gangs.makes(api_version, kind):
        return {}
    why = "its pods start all at once: each alone would hold GPUs while others still wait"
    return {gangs.min_member: because(str(request.nodes), why)}
