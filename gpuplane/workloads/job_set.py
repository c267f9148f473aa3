"""What JobSets of every kind have in common.

https://github.com/kubernetes-sigs/jobset, api/jobset/v1alpha2/jobset_types.go at v0.12.0
"""

from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request

JOB_SET_TYPE = ("jobset.x-k8s.io/v1alpha2", "JobSet")


def job_template(request: Request, spec: Tree) -> Tree:
    """Return the template of the Job whose pods have the GPUs."""
    annotations = gang_annotations(request, *JOB_SET_TYPE)
    metadata = {"metadata": {"annotations": annotations}} if annotations else {}
    return {**metadata, "spec": spec}


def pod_names(why: str) -> dict[str, Tree]:
    """Return the field by which each pod has a name in DNS, also while it starts."""
    return {"network": because({"enableDNSHostnames": True, "publishNotReadyAddresses": True}, why)}


def first_pod(request: Request, job: str) -> str:
    """Return the name in DNS of the first pod of a Job (https://jobset.sigs.k8s.io/docs/concepts/)."""
    return f"{request.name}-{job}-0-0.{request.name}"


def gang_annotations(request: Request, api_version: str, kind: str) -> dict[str, Tree]:
    """Return the annotations of the Job of a workload of that kind by which its pods are a gang."""
    gangs = request.platform.contribution.gangs
    if request.nodes == 1 or gangs is None or gangs.min_member is None:
        return {}
    if gangs.makes(api_version, kind):
        return {}
    why = "its pods start all at once: each alone would hold GPUs while others still wait"
    return {gangs.min_member: because(str(request.nodes), why)}
