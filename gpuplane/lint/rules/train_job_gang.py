"""The pods of a TrainJob start together on Volcano.

Trainer's own way, a `podGroupPolicy`, names their group in the template of the pods
(`EnforcePodGroupPolicy` in https://github.com/kubeflow/trainer,
pkg/runtime/framework/plugins/volcano/volcano.go at v2.3.0), where teams could name any.
"""

from collections.abc import Iterator

from charts_py.components.volcano.api import GROUPING, MIN_MEMBER, SCHEDULER
from gpuplane.lint.declared_number import whole_number
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from policies.document import pointer, value_at
from policies.settings import JobKind
from policies.workloads.place import at

_GROUP = "trainer.kubeflow.org"
_RUNTIMES = {JobKind(_GROUP, kind) for kind in ("TrainingRuntime", "ClusterTrainingRuntime")}
_TRAIN_JOB = JobKind(_GROUP, "TrainJob")
_POLICY = ("spec", "podGroupPolicy", "volcano")
_NODES = ("spec", "trainer", "numNodes")
_JOBS = "/spec/runtimePatches/*/trainingRuntimeSpec/template/spec/replicatedJobs/*"
_MIN_MEMBER = ("template", "metadata", "annotations", MIN_MEMBER)


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if context.scheduler != SCHEDULER:
        return
    if one.kind in _RUNTIMES and value_at(one.document, _POLICY) is not None:
        yield RuleFinding(
            pointer(*_POLICY),
            f"Trainer names the group of the pods in their template ({GROUPING.name}), which the "
            "API server refuses of all but Volcano's controllers, so the workload never starts.",
            f"Leave it out; {MIN_MEMBER} on the templates of its jobs starts their pods together.",
            severity=LintSeverity.ERROR,
        )
    nodes = whole_number(value_at(one.document, _NODES)) if one.kind == _TRAIN_JOB else None
    if nodes is not None and nodes > 1 and not _is_gang(one):
        yield RuleFinding(
            "/spec/runtimePatches",
            f"Volcano starts the {nodes} pods one by one, so that two such jobs may each hold GPUs "
            "that the other waits for.",
            f"Annotate the template of the job node with {MIN_MEMBER}: the number of its pods.",
        )


def _is_gang(one: LintObject) -> bool:
    return any(value_at(job, _MIN_MEMBER) is not None for _, job in at(one.document, _JOBS))


RULE = LintRule("train-job-gang", "The pods of a TrainJob start together on Volcano.", check)
