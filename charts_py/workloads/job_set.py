"""What JobSets of every kind have in common.

https://github.com/kubernetes-sigs/jobset, api/jobset/v1alpha2/jobset_types.go at v0.12.0
"""

from charts_py.workloads.gang import gang_annotations
from charts_py.workloads.reason import Tree
from charts_py.workloads.request import Request

JOB_SET_TYPE = ("jobset.x-k8s.io/v1alpha2", "JobSet")


def job_template(request: Request, spec: Tree) -> Tree:
    """Return the template of the Job whose pods have the GPUs."""
    annotations = gang_annotations(request, *JOB_SET_TYPE)
    metadata = {"metadata": {"annotations": annotations}} if annotations else {}
    return {**metadata, "spec": spec}
