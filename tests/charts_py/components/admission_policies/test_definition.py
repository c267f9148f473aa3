"""What the API server itself refuses."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.policies import Admission
from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.components.admission_policies.granted_pools import granted_pools_policies, grants_of
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
from charts_py.components.admission_policy import Policy
from charts_py.components.kueue.api import PRIORITY as KUEUE
from charts_py.components.webhook.configuration import WEBHOOK_CONFIGURATION
from charts_py.components.webhook.definition import WEBHOOK
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL, judged_namespaces
from charts_py.platform.policy_settings import policy_settings
from charts_py.rendering.rendering import check_sizes
from policies.in_cel.action import Action
from policies.in_cel.judged_annotation import IS_ANNOTATED, REMOVED, is_unjudged, judged_by
from policies.in_cel.match_conditions import gpu_pod_conditions, match_conditions
from policies.settings_json import read_settings, write_settings
from tests.charts_py.components.evaluated import about
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.e2e.claims.cluster import admitting


def test_each_policy_is_emitted_with_its_binding(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    platform = example("training")
    (component,) = ADMISSION_POLICIES.plan(platform)
    settings = policy_settings(platform)
    policies = (
        EXTERNAL_ADDRESSES,
        disruption_budgets(platform),
        kept_policy(settings),
        grace_periods(settings),
        *train_job_policies(platform),
        *job_priorities_policies(KUEUE, settings, sets_default=False),
        *granted_pools_policies(settings),
    )
    assert [
        (each["kind"], each["metadata"]["name"], each["spec"])
        for each in documents_of_component(component)
    ] == [
        each
        for policy in policies
        for each in (
            ("ValidatingAdmissionPolicy", policy.name, policy.spec()),
            ("ValidatingAdmissionPolicyBinding", policy.name, policy.binding_spec()),
        )
    ]


@pytest.mark.parametrize("policy", [EXTERNAL_ADDRESSES.name, "disruption-budgets.gpuplane.io"])
def test_services_and_budgets_are_judged_where_there_is_a_team(
    platforms: Mapping[str, Platform], documents_of_component: DocumentsOf, policy: str
) -> None:
    without = [
        name
        for name, each in platforms.items()
        if policy not in _names(each, documents_of_component)
    ]
    assert without == [name for name, each in platforms.items() if not each.cluster.teams]


def test_what_is_about_pools_is_there_where_others_have_gpus_of_the_same_vendor(
    platforms: Mapping[str, Platform],
) -> None:
    wanted = [name for name, each in platforms.items() if grants_of(policy_settings(each))]
    examples = ["training", "inference", "mixed", "onprem"]
    samples = [
        "dra",
        "eks",
        "gke-fabrics",
        "gke-queued",
        "kai",
        "node-cache",
        "notebooks",
        "queues",
        "slurm",
        "training",
        "volcano",
    ]
    assert wanted == [*examples, *(f"sample-{name}" for name in samples)]


@pytest.mark.parametrize(
    ("admission", "of_rules"),
    [
        (Admission.BACKSTOP, {"pods-unjudged", "pods-denied", "pods-warned", "pods-audited"}),
        (Admission.WEBHOOK_ONLY, {"granted-pools"}),
        (Admission.IN_TREE_ONLY, {"pods-denied", "pods-warned", "pods-audited", "pods-fixed"}),
    ],
)
def test_who_fixes_and_judges_pods_is_a_setting(
    example: Load, documents_of_component: DocumentsOf, admission: Admission, of_rules: set[str]
) -> None:
    platform = admitting(example("training"), admission)
    names = {name.partition(".")[0] for name in _names(platform, documents_of_component)}
    of_teams = {
        "disruption-budgets",
        "external-addresses",
        "fixed-annotation-kept",
        "grace-periods",
    }
    of_queues = {"job-priorities", "runtime-snapshots", "train-job-resources"}
    assert names == of_teams | of_queues | of_rules
    assert WEBHOOK.is_wanted(platform) is WEBHOOK_CONFIGURATION.is_wanted(platform)
    assert WEBHOOK.is_wanted(platform) is admission.has_webhook


def test_a_webhook_that_is_alone_and_no_team_leave_nothing_to_the_api_server(
    platforms: Mapping[str, Platform],
) -> None:
    (platform,) = [each for each in platforms.values() if not each.cluster.teams][:1]
    assert not ADMISSION_POLICIES.is_wanted(admitting(platform, Admission.WEBHOOK_ONLY))


def test_what_fixes_pods_leaves_those_alone_that_it_fails_on(example: Load) -> None:
    settings = policy_settings(example("training"))
    (policy,) = fixes_policies(settings)
    (denying, *_) = pods_policies(settings)
    spec = policy.spec()
    assert (spec["failurePolicy"], spec["reinvocationPolicy"]) == ("Ignore", "IfNeeded")
    exemptions = denying.spec()["matchConditions"][: -len(match_conditions(settings))]
    assert spec["matchConditions"] == [*exemptions, *gpu_pod_conditions(settings)]
    assert policy.namespaces == denying.namespaces
    assert [each["patchType"] for each in spec["mutations"]] == ["JSONPatch"] * 3


def test_behind_the_webhook_all_policies_leave_out_what_it_has_judged(example: Load) -> None:
    settings = policy_settings(example("training"))
    unjudged = is_unjudged(settings)
    for behind, alone in zip(
        pods_policies(settings, behind_webhook=True), pods_policies(settings), strict=True
    ):
        (condition,) = behind.conditions
        others = [each["expression"] for each in alone.conditions]
        judged = " && ".join(f"({each})" for each in (unjudged, *others))
        assert condition == {"name": "is-to-be-judged", "expression": judged}
        assert behind == replace(alone, conditions=[condition])


def test_rules_have_the_name_that_they_have_for_the_webhook_that_reads_them(example: Load) -> None:
    settings = policy_settings(example("training"))
    assert judged_by(read_settings(write_settings(settings))) == judged_by(settings)


def test_the_annotation_is_removed_before_webhooks_are_called_and_not_again(example: Load) -> None:
    settings = policy_settings(example("training"))
    policy = unjudged_policy(settings)
    assert policy.spec() == {
        "failurePolicy": "Fail",
        "reinvocationPolicy": "Never",
        "matchConstraints": about(judged_namespaces(settings), [""], ["v1"], ["pods"], "CREATE"),
        "matchConditions": [{"name": "is-annotated", "expression": IS_ANNOTATED}],
        "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": REMOVED}}],
    }
    assert policy.annotations == {"argocd.argoproj.io/sync-wave": "-1"}


def test_a_policy_is_about_no_more_namespaces_and_pods_than_its_rules(example: Load) -> None:
    settings = policy_settings(example("training"))
    by_action = {each.action: each for each in pods_policies(settings)}
    everywhere = judged_namespaces(settings)
    excepted = {each.namespace for each in settings.exceptions}
    named = {"key": NAMESPACE_NAME_LABEL, "operator": "In", "values": sorted(excepted)}
    assert {action: each.namespaces for action, each in by_action.items()} == {
        Action.DENY: everywhere,
        Action.WARN: everywhere,
        Action.AUDIT: {"matchExpressions": [named, *everywhere["matchExpressions"]]},
    }
    conditions = {action: _last_condition(each) for action, each in by_action.items()}
    assert conditions == {
        Action.DENY: "concerns-a-rule",
        Action.WARN: "concerns-a-rule",
        Action.AUDIT: "may-ask-for-gpus",
    }


def _last_condition(policy: Policy) -> str:
    return str(policy.spec()["matchConditions"][-1]["name"])


def _names(platform: Platform, documents_of_component: DocumentsOf) -> list[str]:
    return [
        document["metadata"]["name"]
        for component in ADMISSION_POLICIES.plan(platform)
        for document in documents_of_component(component)
    ]


FIT, TOO_MANY = 1200, 4000


def _of_teams(platform: Platform, count: int, admission: Admission) -> Platform:
    """Return a platform of that many teams with a namespace each."""
    cluster = platform.cluster
    (team, *_) = cluster.teams.values()
    (namespace, *_) = team.namespaces.values()
    teams = {
        f"team-{n}": team.model_copy(update={"namespaces": {f"research-{n}": namespace}})
        for n in range(count)
    }
    policies = cluster.policies.model_copy(update={"admission": admission})
    update = {"teams": teams, "policies": policies}
    return replace(platform, cluster=cluster.model_copy(update=update))


def _check(platform: Platform, documents_of_component: DocumentsOf) -> None:
    (component,) = ADMISSION_POLICIES.plan(platform)
    documents = documents_of_component(component)
    check_sizes("sample", {component.name: documents}, {component.name: component.when_too_large})


def test_those_of_many_teams_are_rendered(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    platform = _of_teams(example("onprem"), FIT, Admission.IN_TREE_ONLY)
    _check(platform, documents_of_component)


def test_of_too_many_it_is_said_what_to_use(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    platform = _of_teams(example("onprem"), TOO_MANY, Admission.BACKSTOP)
    with pytest.raises(RenderError) as refused:
        _check(platform, documents_of_component)
    remedies = {fault.rpartition("; ")[2] for fault in str(refused.value).splitlines()}
    assert remedies == {"for a cluster of this size, use policies.admission: webhook-only"}
