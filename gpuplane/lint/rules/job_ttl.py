"""A job is deleted some time after it has finished.

Nobody else deletes it, with its pods and logs: they count against the namespace's quota of objects,
and its name stays taken. Those of CronJobs, CronWorkflows and ScaledJobs have limits of their own,
and Katib deletes those of its Experiments, unless these retain them. Argo CD and Helm delete their
hooks.
https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/
"""

from collections.abc import Iterator

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding, by_kind, states_no
from policies.document import members, pointer, value_at
from policies.settings import JobKind

_EXPERIMENT = JobKind("kubeflow.org", "Experiment")
_COUNTED = JobKind("batch", "Job")
"""The kind that the quota of a team's namespace counts, with GPUs or without."""
_HOOKS = {"argocd.argoproj.io/hook", "helm.sh/hook"}


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    field = by_kind("ttl").get(one.kind)
    is_counted = one.kind == _COUNTED and context.namespace in context.settings.namespaces
    if field is None or not (one.gpu_pods or is_counted):
        return
    metadata = members(one.document.get("metadata"))
    # What owns an object, as a CronJob its Jobs, deletes it.
    is_hook = bool(_HOOKS & members(metadata.get("annotations")).keys())
    if context.holder == _EXPERIMENT or metadata.get("ownerReferences") or is_hook:
        return
    path = ("spec", *field.split("."))
    if value_at(one.document, path) is None:
        stated = states_no(one.document.get("spec"), field)
        yield RuleFinding(
            pointer(*path),
            f"The job {stated}, so it stays with its pods once it has finished, until somebody "
            "deletes it.",
            "Set it to as long as somebody may want to read its logs.",
            severity=None if one.gpu_pods else LintSeverity.NOTE,
        )


RULE = LintRule("job-ttl", "A job is deleted some time after it has finished.", check)
