"""A job goes some time after it has finished.

Nobody else deletes it, with its pods and logs: they count against the namespace's quota of objects,
and its name stays taken. Those of CronJobs, CronWorkflows and ScaledJobs have limits of their own,
and Katib deletes those of its Experiments, unless these retain them.
https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/
"""

from collections.abc import Iterator

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from policies.document import members, pointer, value_at
from policies.settings import JobKind

_SECONDS = "ttlSecondsAfterFinished"
_OF_KUBEFLOW = ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")
_FIELDS = {
    JobKind("argoproj.io", "Workflow"): ("ttlStrategy",),
    JobKind("batch", "Job"): (_SECONDS,),
    JobKind("batch.volcano.sh", "Job"): (_SECONDS,),
    JobKind("jobset.x-k8s.io", "JobSet"): (_SECONDS,),
    **{JobKind("kubeflow.org", kind): ("runPolicy", _SECONDS) for kind in _OF_KUBEFLOW},
    JobKind("sparkoperator.k8s.io", "SparkApplication"): ("timeToLiveSeconds",),
}
"""The fields of each kind's spec that say when it goes."""
_EXPERIMENT = JobKind("kubeflow.org", "Experiment")


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    field = _FIELDS.get(one.kind)
    if field is None or not one.gpu_pods:
        return
    metadata = members(one.document.get("metadata"))
    # Katib and what owns an object, as a CronJob its Jobs, delete it.
    if context.holder == _EXPERIMENT or metadata.get("ownerReferences"):
        return
    if value_at(one.document, ("spec", *field)) is None:
        yield RuleFinding(
            pointer("spec", *field),
            f"The job states no {'.'.join(field)}, so it stays for ever once it has finished, with "
            "its pods.",
            "Set it: to as long as somebody may want to read its logs.",
        )


RULE = LintRule(
    "job-ttl", "A job with GPUs goes some time after it has finished.", LintSeverity.WARNING, check
)
