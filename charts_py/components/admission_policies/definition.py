"""What the API server itself refuses, and fixes, in CEL, so that it holds whoever answers.

A webhook that does not answer is passed over, and with it what it refuses and adds. So the API
server judges pods by the same rules in CEL, unless `policies.admission` is `webhook-only`: it
refuses, warns and writes to the audit log, in the same words, and without a call. New pods that the
webhook has found nothing wrong with are left out: it says so in an annotation, which another policy
takes off pods that arrive with it. Where that is `in-tree-only`, there is no webhook, and the API
server fixes pods, too, and judges them all.

Where it is `webhook-only`, the API server refuses by itself what could take the GPUs of others: GPU
pods of a namespace that may use some of the pools of a vendor's GPUs, unless they select those.

It also refuses Services of teams that take addresses outside of the cluster, which no quota counts,
and PodDisruptionBudgets of teams that would keep a node from being drained for ever, and bounds the
time that a deleted pod of theirs has to end. With queues of Kueue and with Kubeflow Trainer, it
refuses TrainJobs that would run with more than their queue counts. Where broken GPUs evict, it
warns of Jobs and JobSets that start again without limit.

It evaluates custom rules, `policies.own`, wherever it judges pods by other rules or not: no webhook
does.

Where the cluster has queues, it refuses jobs that name a priority class of others. With those of
Kueue and Volcano, it names that of their pods in those that name none; before Kubernetes 1.36, the
webhook does that.
"""

from collections.abc import Iterator

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.cluster_file.policies import Admission
from charts_py.components.admission_policies.custom_rules import custom_rule_policies
from charts_py.components.admission_policies.evictions import endless_restarts
from charts_py.components.admission_policies.granted_pools import granted_pools_policies
from charts_py.components.admission_policies.jobs import job_priorities_policies, train_job_policies
from charts_py.components.admission_policies.pods import (
    fixes_policies,
    kept_policy,
    pods_policies,
    unjudged_policy,
)
from charts_py.components.admission_policies.team_policies import (
    EXTERNAL_ADDRESSES,
    disruption_budgets,
    grace_periods,
)
from charts_py.components.admission_policy import MutatingPolicy, Policy, policy_objects
from charts_py.components.definition import Definition
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave


def unruled_policies(platform: Platform) -> Iterator[Policy]:
    """Yield the policies that no rule of `policies` stands beside."""
    if platform.cluster.teams:
        yield EXTERNAL_ADDRESSES
        yield disruption_budgets(platform)
        yield kept_policy(policy_settings(platform))
        yield grace_periods(policy_settings(platform))
        yield from train_job_policies(platform)
        yield from endless_restarts(platform)


def _policies(platform: Platform) -> Iterator[Policy | MutatingPolicy]:
    settings = policy_settings(platform)
    admission = platform.cluster.admission
    yield from unruled_policies(platform)
    if settings.queue_priority is not None:
        sets_default = has(platform.cluster.kubernetes, Feature.MUTATING_POLICIES)
        yield from job_priorities_policies(
            settings.queue_priority, settings, sets_default=sets_default
        )
    match admission:
        case Admission.BACKSTOP:
            yield unjudged_policy(settings)
            yield from pods_policies(settings, behind_webhook=True)
        case Admission.WEBHOOK_ONLY:
            yield from granted_pools_policies(settings)
        case Admission.IN_TREE_ONLY:
            yield from fixes_policies(settings)
            yield from pods_policies(settings)
    yield from custom_rule_policies(settings)


def _when_too_large(platform: Platform) -> str:
    if not platform.cluster.admission.has_policies:
        return ""
    return f"for a cluster of this size, use policies.admission: {Admission.WEBHOOK_ONLY.value}"


ADMISSION_POLICIES = Definition(
    name="admission-policies",
    description=__doc__,
    appears="unless `policies.admission` is `webhook-only` and there is no team; what is about "
    "pools where a namespace may use some of the pools of a vendor's GPUs, and the rule "
    "granted-pools is enforced",
    is_wanted=lambda platform: any(True for _ in _policies(platform)),
    fields=(
        *("policies", "registries", "teams", "pools", "queues", "training.trainer", "kubernetes"),
        *("driver.owner", "addons.gpuHealth"),
    ),
    depends_on=("webhook",),
    wave=Wave.ADMISSION_POLICIES,
    objects=lambda platform: policy_objects(_policies(platform)),
    when_too_large=_when_too_large,
)
