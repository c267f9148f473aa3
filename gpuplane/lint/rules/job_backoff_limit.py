"""A job says how often it is tried again after a failure.

Kubernetes tries six times more where it says nothing
(https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy), and a
JobSet and the MPI operator create such Jobs. The training operator then never stops:
`PastBackoffLimit` in https://github.com/kubeflow/trainer (pkg/core/job.go at release-1.9). Argo
retries without end where a `retryStrategy` has no `limit`
(https://argo-workflows.readthedocs.io/en/latest/retries/).
"""

from collections.abc import Iterator

from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding, by_kind, states_no
from policies.document import members, steps_of, text, value_at
from policies.settings import JobKind
from policies.workloads.place import at

KUBERNETES_DEFAULT = 6
_MPI_JOB = JobKind("kubeflow.org", "MPIJob")
_LIMITS = ("backoffLimit", "backoffLimitPerIndex")
_POLICY_LIMIT = ("spec", "runPolicy", "backoffLimit")
_AGAIN = f"again up to {KUBERNETES_DEFAULT} times after failures"
_REMEDY = "Set it to 0 where a failure would only repeat, to more where the job can resume."


def check(one: LintObject, _context: LintContext) -> Iterator[RuleFinding]:
    if not one.gpu_pods:
        return
    if place := by_kind("job_specs").get(one.kind):
        yield from _unlimited_jobs(one, place)
    elif restarting := by_kind("restarting").get(one.kind):
        yield from _restarting(one, **restarting)
    elif one.kind == _MPI_JOB:
        yield from _unlimited_launcher(one)
    elif one.kind.group == "argoproj.io":
        yield from _endless_retries(one)


def _unlimited(one: LintObject, at: str, field: str, so: str) -> RuleFinding:
    stated = states_no(value_at(one.document, steps_of(at)), field)
    place = f"{at}/{field.replace('.', '/')}"
    return RuleFinding(place, f"The job {stated}, so {so}.", _REMEDY)


def _unlimited_jobs(one: LintObject, place: str) -> Iterator[RuleFinding]:
    for pointer, spec in at(one.document, place):
        states_limit = any(members(spec).get(name) is not None for name in _LIMITS)
        if not states_limit and any(pod.is_below(pointer) for pod in one.gpu_pods):
            yield _unlimited(one, pointer, "backoffLimit", f"it takes its GPUs {_AGAIN}")


def _unlimited_launcher(one: LintObject) -> Iterator[RuleFinding]:
    """Find MPIJobs of the MPI operator; pods of version 1 do not start again by default."""
    is_of_operator = one.document.get("apiVersion") == "kubeflow.org/v2beta1"
    if is_of_operator and value_at(one.document, _POLICY_LIMIT) is None:
        yield _unlimited(
            one, "/spec", "runPolicy.backoffLimit", f"its launcher takes the GPUs {_AGAIN}"
        )


def _restarting(one: LintObject, replicas: str, policy: str) -> Iterator[RuleFinding]:
    """Find jobs whose replicas restart; `policy` is that of replicas which state none."""
    restarts = any(
        (text(members(each).get("restartPolicy")) or policy) != "Never"
        and any(pod.is_below(pointer) for pod in one.gpu_pods)
        for pointer, each in at(one.document, replicas)
    )
    if restarts and value_at(one.document, _POLICY_LIMIT) is None:
        so = "its pods restart without end, and keep their GPUs"
        yield _unlimited(one, "/spec", "runPolicy.backoffLimit", so)


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
    "job-backoff-limit", "A job with GPUs says how often it is tried again after a failure.", check
)
