from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from cdk8s import App, Chart

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.policies import Admission
from charts_py.cluster_file.queues import default_ladder
from charts_py.constructs.parts import (
    AdmissionWebhook,
    GpuNodePool,
    GpuOperator,
    PriorityClasses,
    TeamAccess,
    TeamNetworkPolicies,
    TeamQuota,
    TeamRoles,
    WarmNodes,
)
from charts_py.constructs.render import render
from charts_py.objects.document import key_of, keys_of
from charts_py.objects.kube_object import documents_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform
    from tests.charts_py.fixture_types import Load

NAMESPACE = "research-training"
DAEMONS = ("devicePlugin", "migManager", "dcgmExporter")
"""The sections of the operator's values that name ConfigMaps."""


@pytest.fixture
def training(example: Load) -> Platform:
    return example("training")


@pytest.fixture
def chart() -> Chart:
    return Chart(App(), "mine")


@pytest.mark.parametrize(
    ("add", "component"),
    [
        (lambda scope, facts: GpuOperator(scope, "x", platform=facts, is_alone=False), "argocd"),
        (lambda scope, facts: GpuNodePool(scope, "x", platform=facts, pool="h100"), "node-pools"),
        (lambda scope, _: PriorityClasses(scope, "x"), "priority-classes"),
        *(
            (
                lambda scope, facts, part=part: part(
                    scope, "x", platform=facts, namespace=NAMESPACE
                ),
                "team-research",
            )
            for part in (TeamQuota, TeamNetworkPolicies, TeamAccess)
        ),
        (lambda scope, facts: TeamRoles(scope, "x", platform=facts), "gpu-roles"),
        (lambda scope, facts: AdmissionWebhook(scope, "x", platform=facts), "webhook"),
    ],
    ids=[
        "GpuOperator",
        "GpuNodePool",
        "PriorityClasses",
        "TeamQuota",
        "TeamNetworkPolicies",
        "TeamAccess",
        "TeamRoles",
        "AdmissionWebhook",
    ],
)
def test_alone_it_makes_the_objects_that_are_part_of_the_platform(
    add: Callable[[Construct, Platform], object], component: str, training: Platform, chart: Chart
) -> None:
    folders = render(training).folders
    add(chart, training)
    made = documents_of(chart)
    called = (folders[name] for name in ("admission-policies", "webhook-configuration"))
    rendered = [*folders[component], *chain.from_iterable(called)]
    assert made
    assert all(document in rendered for document in made)


def test_all_that_holds_warm_nodes_is_made_alone(example: Load, chart: Chart) -> None:
    facts = example("inference")
    folders = render(facts).folders
    WarmNodes(chart, "warm", platform=facts)
    parts = ("warm", "warm-a100-mig", "warm-l4-shared")
    rendered = [*chain.from_iterable(folders[name] for name in parts)]
    assert sorted(documents_of(chart), key=key_of) == sorted(rendered, key=key_of)


def test_the_operator_tells_its_chart(training: Platform, chart: Chart) -> None:
    operator = GpuOperator(chart, "gpu-operator", platform=training)
    assert (operator.release.chart, operator.namespace) == ("gpu-operator", "gpu-operator")
    assert operator.objects[-1].document["spec"]["source"]["helm"]["valuesObject"] == dict(
        operator.release.values
    )


@pytest.mark.parametrize("name", ["training", "inference", "onprem"])
def test_the_operator_brings_all_that_it_refers_to(name: str, example: Load, chart: Chart) -> None:
    facts = example(name)
    operator = GpuOperator(chart, "gpu-operator", platform=facts)
    made = documents_of(chart)
    found = {(each.kind, each.name): each.namespace for each in keys_of(made)}
    spec = operator.objects[-1].document["spec"]
    assert found["AppProject", spec["project"]] == facts.cluster.gitops.argocd_namespace
    assert ("Namespace", spec["destination"]["namespace"]) in found
    values = operator.release.values
    configs = [values.get(each, {}).get("config") for each in DAEMONS]
    mounted = [config["name"] for config in configs if config and config.get("name")]
    assert mounted
    assert {found["ConfigMap", each] for each in mounted} == {operator.namespace}
    rendered = list(chain.from_iterable(render(facts).folders.values()))
    assert all(each in rendered for each in made if each["kind"] != "AppProject")


def test_the_roles_of_teams_are_those_that_they_are_bound_to(
    training: Platform, chart: Chart
) -> None:
    roles = TeamRoles(chart, "roles", platform=training)
    access = TeamAccess(chart, "access", platform=training, namespace=NAMESPACE)
    assert {each.document["metadata"]["name"] for each in roles.objects} >= {*access.groups}


def test_the_webhook_comes_with_the_policies_that_judge_what_it_does_not_vouch_for(
    example: Load, chart: Chart
) -> None:
    facts = example("onprem")
    assert facts.cluster.admission is Admission.BACKSTOP
    webhook = AdmissionWebhook(chart, "webhook", platform=facts)
    policies = render(facts).folders["admission-policies"]
    assert "pods-denied.gpuplane.io" in {each["metadata"]["name"] for each in policies}
    assert all(each in documents_of(chart) for each in policies)
    server = AdmissionWebhook(chart, "server", platform=facts, is_called=False)
    kinds = {each.document["kind"] for each in webhook.objects}
    assert {each for each in kinds if "Admission" in each or "WebhookConf" in each} == kinds - {
        each.document["kind"] for each in server.objects
    }


def test_without_nvidia_gpus_there_is_no_operator(example: Load, chart: Chart) -> None:
    facts = example("training")
    with pytest.raises(RenderError) as caught:
        GpuOperator(chart, "gpu-operator", platform=replace(facts, pools=()))
    assert str(caught.value) == "training: no pool has NVIDIA GPUs"


def test_a_pool_of_unequal_parts_has_several_resources(training: Platform, chart: Chart) -> None:
    pool = GpuNodePool(chart, "a100", platform=training, pool="a100-mixed")
    assert pool.resource_names == (
        "nvidia.com/mig-1g.10gb",
        "nvidia.com/mig-2g.20gb",
        "nvidia.com/mig-3g.40gb",
    )
    with pytest.raises(ValueError, match="too many values"):
        _ = pool.resource_name
    assert {key_of(each.document).name for each in pool.objects} >= {"a100-mixed"}


def test_a_team_tells_its_bounds_and_its_groups(training: Platform, chart: Chart) -> None:
    quota = TeamQuota(chart, "quota", platform=training, namespace=NAMESPACE)
    # 96 + 32 of its own, and 32 that it may borrow.
    assert quota.bounds["requests.nvidia.com/gpu"] == "160"
    access = TeamAccess(chart, "access", platform=training, namespace=NAMESPACE)
    assert access.groups == {
        "gpu-admin": ("ml-research-leads",),
        "gpu-user": ("ml-research",),
        "gpu-viewer": ("ml-everyone",),
    }


def test_a_namespace_that_is_not_there_is_refused(training: Platform, chart: Chart) -> None:
    with pytest.raises(RenderError) as caught:
        TeamQuota(chart, "quota", platform=training, namespace="research-trainings")
    names = ", ".join(each.name for each in training.namespaces)
    assert str(caught.value) == (
        f'unknown namespace "research-trainings" in training; allowed: {names}; '
        "nearest: research-training, research-notebooks"
    )


def test_a_pool_that_is_not_there_is_refused(training: Platform, chart: Chart) -> None:
    with pytest.raises(RenderError) as caught:
        GpuNodePool(chart, "pool", platform=training, pool="h200")
    names = ", ".join(each.name for each in training.pools)
    assert str(caught.value) == (
        f'unknown pool "h200" in training; allowed: {names}; nearest: h100'
    )


def test_the_ladder_is_that_of_cluster_files_unless_another_is_given(chart: Chart) -> None:
    ladder = default_ladder()
    assert PriorityClasses(chart, "default").priorities == ladder
    batch = {"batch": ladder["batch"]}
    (only,) = PriorityClasses(chart, "batch", priorities=batch).objects
    assert (only.document["kind"], only.document["value"]) == ("PriorityClass", 100)
