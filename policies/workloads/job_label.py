"""Labels that all pods of one job have in common."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JobLabel:
    """A label that a controller gives to all pods of one job, with the job's name as its value."""

    owner: str
    """Who sets it; valid as part of an object's name."""
    key: str
    is_isolated: bool = False
    """Whether only pods of such jobs in the same namespace reach each other. What a training job
    listens on, such as a rendezvous, does not authenticate; a server has clients."""


DISAGGREGATED_SET = JobLabel("disaggregatedset", "disaggregatedset.x-k8s.io/name")
"""https://github.com/kubernetes-sigs/lws, api/disaggregatedset/v1/disaggregatedset_types.go"""
JOB = JobLabel("job", "batch.kubernetes.io/job-name")
"""Also on the pods of a JobSet. Not isolated: most Jobs are one pod, which uses services of its
team. https://kubernetes.io/docs/reference/labels-annotations-taints/#batch-kubernetes-io-job-name
"""
JOB_SET = JobLabel("jobset", "jobset.sigs.k8s.io/jobset-name", is_isolated=True)
"""Also of the JobSet of a TrainJob.
https://github.com/kubernetes-sigs/jobset, api/jobset/v1alpha2/jobset_types.go"""
KUBEFLOW = JobLabel("kubeflow", "training.kubeflow.org/job-name", is_isolated=True)
"""The label of the training operator, https://github.com/kubeflow/trainer at release-1.9,
pkg/apis/kubeflow.org/v1/common_types.go, and of the MPI operator,
https://github.com/kubeflow/mpi-operator, pkg/apis/kubeflow/v2beta1/constants.go"""
LEADER_WORKER_SET = JobLabel("leaderworkerset", "leaderworkerset.sigs.k8s.io/name")
"""https://github.com/kubernetes-sigs/lws, api/leaderworkerset/v1/leaderworkerset_types.go"""
RAY = JobLabel("ray", "ray.io/cluster")
"""The label of the head and the workers. The pod that submits a RayJob lacks it, and must reach the
head. https://github.com/ray-project/kuberay, ray-operator/controllers/ray/utils/constant.go"""
SPARK = JobLabel("spark", "sparkoperator.k8s.io/app-name")
"""https://github.com/kubeflow/spark-operator, pkg/common/spark.go"""
VOLCANO = JobLabel("volcano", "volcano.sh/job-name", is_isolated=True)
"""https://github.com/volcano-sh/volcano,
staging/src/volcano.sh/apis/pkg/apis/batch/v1alpha1/labels.go"""
JOB_LABELS = {
    label.owner: label
    for label in (DISAGGREGATED_SET, JOB, JOB_SET, KUBEFLOW, LEADER_WORKER_SET, RAY, SPARK, VOLCANO)
}
