"""Jobs that start again without limit are warned of where broken GPUs evict."""

from collections.abc import Iterator

from charts_py.components.admission_policy import Policy, requests
from charts_py.platform.platform import Platform
from gpus.platform_names import LABEL_PREFIX, PURCHASE
from policies.cel.text import quote
from policies.in_cel.action import Action

_JOB_SETS = "jobset.x-k8s.io"
_IGNORES = (
    "object.spec.?podFailurePolicy.?rules.orValue([]).exists(rule,"
    ' rule.action == "Ignore"'
    ' && rule.?onPodConditions.orValue([]).exists(each, each.type == "DisruptionTarget"))'
)
_REASONS = "rule.?onJobFailureReasons.orValue([])"
_RESTARTS = (
    "object.spec.?failurePolicy.?rules.orValue([]).exists(rule,"
    ' rule.action in ["RestartJobSetAndIgnoreMaxRestarts", "RestartJobAndIgnoreMaxRestarts"]'
    f' && ({_REASONS}.size() == 0 || "PodFailurePolicy" in {_REASONS}))'
)


def endless_restarts(platform: Platform) -> Iterator[Policy]:
    """Yield what warns of Jobs and JobSets whose evictions never count, but on spot nodes.

    A node with a broken GPU evicts with the condition of every other disruption. A job that breaks
    what it runs on is then started anew, on the next node, for ever.
    """
    if not platform.cluster.addons.evicts_pods:
        return
    names = {each.name for pool in platform.pools for each in pool.facts.resources}
    yield _policy("jobs", "batch", "v1", _IGNORES, _on_gpus("object", names), "podFailurePolicy")
    in_job_set = (
        f"object.spec.?replicatedJobs.orValue([]).exists(job, {_on_gpus('job.template', names)})"
    )
    yield _policy("jobsets", _JOB_SETS, "*", _RESTARTS, in_job_set, "failurePolicy")


def _on_gpus(job: str, names: set[str]) -> str:
    """Return CEL for whether pods of a job take GPUs, and do not tolerate spot nodes.

    `dyn` is for the API server, whose types of a Job have no limits.
    """
    pod = f"{job}.spec.template.spec"
    known = ", ".join(quote(name) for name in sorted(names))
    return (
        f"{pod}.containers.exists(one, dyn(one).?resources.?limits.orValue({{}}).exists(name,"
        f" name in [{known}])) && !{pod}.?tolerations.orValue([]).exists(each,"
        f' each.?key.orValue("") == {quote(PURCHASE)})'
    )


def _policy(
    resource: str, group: str, version: str, ignores: str, takes: str, field: str
) -> Policy:
    return Policy(
        name=f"endless-restarts-of-{resource}.{LABEL_PREFIX}",
        rule=requests(group, resource, version=version),
        validations=(
            {
                "expression": f"!({ignores} && {takes})",
                "message": f"by its {field}, evictions never count: this cluster evicts pods from "
                "nodes with broken GPUs, so that a job which breaks them starts again on one node "
                "after another; leave out the rule on disruptions, or run on spot nodes.",
            },
        ),
        action=Action.WARN,
    )
