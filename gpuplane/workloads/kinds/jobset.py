"""A JobSet, whose pods start again together.

https://github.com/kubernetes-sigs/jobset, api/jobset/v1alpha2/jobset_types.go at v0.12.0
"""

from collections.abc import Iterator

from gpuplane.workloads import torchrun
from gpuplane.workloads.job_set import JOB_SET_TYPE, first_pod, job_template, pod_names
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.lifetime import deadline, kept, kept_for_its_log, on_disruption
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import companions
from gpuplane.workloads.notes import without_job_set
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request
from policies.workloads.job_label import JOB_SET

_ROLE = "node"
_RANK = "metadata.labels['batch.kubernetes.io/job-completion-index']"
_RESTARTS = 3
_DISRUPTED = "PodFailurePolicy"
"""The reason for which a Job fails by its `podFailurePolicy`."""


def build(request: Request) -> Iterator[Tree]:
    """Yield a JobSet of one Job."""
    yield from companions(request)
    yield {
        **queued(request, *JOB_SET_TYPE),
        "spec": {
            **kept(),
            "failurePolicy": _restarts(),
            **pod_names("a name for each pod, by which they find the first one while they start"),
            "replicatedJobs": [
                {"name": _ROLE, "replicas": 1, "template": job_template(request, _job(request))}
            ],
        },
    }


def _restarts() -> Tree:
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
    return {
        "maxRestarts": because(_RESTARTS, "all pods start again together, from a checkpoint"),
        "rules": [
            because(ended, "a new attempt would have a new deadline"),
            because(disrupted, "not counted where a node was taken away or the job preempted"),
        ],
    }


def _job(request: Request) -> Tree:
    return {
        "completionMode": because("Indexed", "each pod has a number, the rank of its node"),
        "completions": because(request.nodes, "every pod has to succeed"),
        "parallelism": because(request.nodes, "all of them run at once"),
        "backoffLimit": because(0, "no pod starts again alone: the JobSet restarts all"),
        **on_disruption("FailJob", "tells the JobSet that a pod was evicted or preempted"),
        **deadline(request),
        "template": _template(request),
    }


def _template(request: Request) -> Tree:
    master = first_pod(request, _ROLE)
    container = Container(
        command=torchrun.command(request),
        env=(*torchrun.ranks(request, master, _RANK), *torchrun.env(request)),
    )
    return gpu_pod(request, container, {**kept_for_its_log(), **together(request, JOB_SET.key)})


JOBSET = Kind(
    name="jobset",
    summary="PyTorch on one or many nodes, whose pods start again together",
    build=build,
    annotates_gang=True,
    notes=without_job_set,
)
