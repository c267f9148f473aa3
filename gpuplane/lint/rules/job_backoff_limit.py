"""A job says how often it is tried again after a failure.

Kubernetes tries six times more where it says nothing
(https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy), and a
JobSet and the MPI operator create such Jobs. The training operator then never stops:
`PastBackoffLimit` in https://github.com/kubeflow/trainer (pkg/core/job.go at release-1.9). Argo
retries without end where a `retryStrategy` has no `limit`
(https://argo-workflows.readthedocs.io/en/latest/retries/).
"""

from collections.abc import Iterator

from charts_py.objects.document import Document
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding, by_kind
from policies.document import members, steps_of, text, value_at
from policies.settings import JobKind
from policies.workloads.place import at

KUBERNETES_DEFAULT = 6
_MPI_JOB = JobKind("kubeflow.org", "MPIJob")
_LIMITS = ("backoffLimit", "backoffLimitPerIndex")
_REMEDY = "Set it to 0 where a failure would only repeat, to more where the job can resume."


def check(one: LintObject, _context: LintContext) -> Iterator[RuleFinding]:
    if not one.gpu_pods:
        return
    if place := by_kind("job_specs").get(one.kind):
        yield from _unlimited_jobs(one, place)
    elif restarting := by_kind("restarting").get(one.kind):
        yield from _restarting(one, **restarting)
    elif one.kind == _MPI_JOB:
        yield from _unlimited_launcher(one.document)
    elif one.kind.group == "argoproj.io":
        yield from _endless_retries(one)


def _unlimited_jobs(one: LintObject, place: str) -> Iterator[RuleFinding]:
    for pointer, spec in at(one.document, place):
        states_limit = any(members(spec).get(name) is not None for name in _LIMITS)
        if not states_limit and any(pod.is_below(pointer) for pod in one.gpu_pods):
            yield RuleFinding(
                f"{pointer}/backoffLimit",
                "The job states no backoffLimit, so it takes its GPUs again up to"
                f" {KUBERNETES_DEFAULT} times after failures.",
                _REMEDY,
            )


def _unlimited_launcher(document: Document) -> Iterator[RuleFinding]:
    """Find MPIJobs of the MPI operator; pods of version 1 do not start again by default."""
    is_of_operator = document.get("apiVersion") == "kubeflow.org/v2beta1"
    policy = members(members(document.get("spec")).get("runPolicy"))
    if is_of_operator and policy.get("backoffLimit") is None:
        yield RuleFinding(
            "/spec/runPolicy/backoffLimit",
            "The job states no runPolicy.backoffLimit, so its launcher takes the GPUs again up to "
            f"{KUBERNETES_DEFAULT} times after failures.",
            _REMEDY,
        )


def _restarting(one: LintObject, replicas: str, policy: str) -> Iterator[RuleFinding]:
    """Find jobs whose replicas restart; `policy` is that of replicas which state none."""
    limits = members(members(one.document.get("spec")).get("runPolicy"))
    if limits.get("backoffLimit") is not None:
        return
    for pointer, each in at(one.document, replicas):
        restart = text(members(each).get("restartPolicy")) or policy
        if restart != "Never" and any(pod.is_below(pointer) for pod in one.gpu_pods):
            yield RuleFinding(
                "/spec/runPolicy/backoffLimit",
                "The job states no runPolicy.backoffLimit, so its pods restart without end, and "
                "keep their GPUs.",
                _REMEDY,
            )
            return


def _endless_retries(one: LintObject) -> Iterator[RuleFinding]:
    for pod in one.gpu_pods:
        strategy = value_at(one.document, (*steps_of(pod.pointer), "retryStrategy"))
        if type(strategy) is dict and not {"limit", "expression"} & strategy.keys():
            yield RuleFinding(
                f"{pod.pointer}/retryStrategy/limit",
                "The retryStrategy of the template has no limit, so it takes its GPUs again until "
                "it succeeds.",
                _REMEDY,
            )


RULE = LintRule(
    "job-backoff-limit",
    "A job with GPUs says how often it is tried again after a failure.",
    LintSeverity.WARNING,
    check,
)
