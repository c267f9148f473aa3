"""A JobSet, whose pods start again together, and what other kinds take of it.

https://github.com/kubernetes-sigs/jobset, api/jobset/v1alpha2/jobset_types.go at v0.12.0
"""

from collections.abc import Iterator

from charts_py.platform.fabric import COUNTED_RESTARTS
from gpuplane.workloads import torchrun
from gpuplane.workloads.kind import Kind, not_installed
from gpuplane.workloads.lifetime import KEPT, KEPT_FOR_ITS_LOG, deadline, on_disruption, so_counted
from gpuplane.workloads.metadata import gang_annotations, queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import gpu_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from policies.workloads.job_label import JOB_SET

JOB_SET_TYPE = ("jobset.x-k8s.io/v1alpha2", "JobSet")
_ROLE = "node"
_RESTARTS = 3
_DISRUPTED = "PodFailurePolicy"
"""The reason for which a Job fails by its `podFailurePolicy`."""


def build(request: Request) -> Iterator[Tree]:
    yield from companions(request)
    template = job_template(request, _job(request))
    spec = {
        **KEPT,
        "failurePolicy": _restarts(request),
        **pod_names("a name for each pod, by which they find the first one while they start"),
        "replicatedJobs": [{"name": _ROLE, "replicas": 1, "template": template}],
    }
    yield queued(request, *JOB_SET_TYPE, spec)


def job_template(request: Request, spec: Tree) -> Tree:
    annotations = gang_annotations(request, *JOB_SET_TYPE)
    metadata = {"metadata": {"annotations": annotations}} if annotations else {}
    return {**metadata, "spec": spec}


def pod_names(why: str) -> dict[str, Tree]:
    """Return the field by which each pod has a name in DNS, also while it starts."""
    return {"network": Because({"enableDNSHostnames": True, "publishNotReadyAddresses": True}, why)}


def first_pod(request: Request, job: str) -> str:
    """Return the name in DNS of the first pod of a Job (https://jobset.sigs.k8s.io/docs/concepts/)."""
    return f"{request.name}-{job}-0-0.{request.name}"


def _restarts(request: Request) -> Tree:
    disrupted = {
        "name": "disrupted",
        "action": "RestartJobSetAndIgnoreMaxRestarts",
        "onJobFailureReasons": [_DISRUPTED],
    }
    ended = {
        "name": "deadline",
        "action": "FailJobSet",
        "onJobFailureReasons": ["DeadlineExceeded"],
    }
    is_counted = request.platform.counts_evictions(request.pool)
    why = f"all pods start again together, from a checkpoint{so_counted(request)}"
    limits = Because(ended, "a new attempt would have a new deadline")
    ignores = Because(disrupted, "not counted where a node was taken away or the job preempted")
    return {
        "maxRestarts": Because(COUNTED_RESTARTS if is_counted else _RESTARTS, why),
        "rules": [limits] if is_counted else [limits, ignores],
    }


def _job(request: Request) -> Tree:
    container = torchrun.container(request, first_pod(request, _ROLE))
    fields = {**KEPT_FOR_ITS_LOG, **together(request, JOB_SET.key)}
    return {
        **torchrun.indexed(request),
        "backoffLimit": Because(0, "no pod starts again alone: the JobSet restarts all"),
        **on_disruption("FailJob", "tells the JobSet that a pod was evicted or preempted"),
        **deadline(request),
        "template": gpu_pod(request, container, fields),
    }


def without_job_set(request: Request) -> Iterator[str]:
    if not request.platform.cluster.training.has_job_set:
        yield not_installed(request, "JobSet", "training.jobSet")


JOBSET = Kind(
    name="jobset",
    summary="PyTorch on one or many nodes, whose pods start again together",
    build=build,
    annotates_gang=True,
    notes=without_job_set,
)
