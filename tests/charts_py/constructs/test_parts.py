from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cdk8s import App, Chart

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.queues import default_ladder
from charts_py.constructs.parts import (
    AdmissionWebhook,
    GpuNodePool,
    GpuOperator,
    PriorityClasses,
    TeamAccess,
    TeamNetworkPolicies,
    TeamQuota,
)
from charts_py.constructs.render import render
from charts_py.objects.document import key_of
from charts_py.objects.kube_object import documents_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform
    from tests.charts_py.fixture_types import Load

NAMESPACE = "research-training"


@pytest.fixture
def training(example: Load) -> Platform:
    return example("training")


@pytest.fixture
def chart() -> Chart:
    return Chart(App(), "mine")


@pytest.mark.parametrize(
    ("add", "component"),
    [
        (lambda scope, facts: GpuOperator(scope, "x", platform=facts), "argocd"),
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
        (lambda scope, facts: AdmissionWebhook(scope, "x", platform=facts), "webhook"),
    ],
    ids=[
        "GpuOperator",
        "GpuNodePool",
        "PriorityClasses",
        "TeamQuota",
        "TeamNetworkPolicies",
        "TeamAccess",
        "AdmissionWebhook",
    ],
)
def test_alone_it_makes_the_objects_that_are_part_of_the_platform(
    add: Callable[[Construct, Platform], object], component: str, training: Platform, chart: Chart
) -> None:
    folders = render(training).folders
    add(chart, training)
    made = documents_of(chart)
    rendered = [*folders[component], *folders["webhook-configuration"]]
    assert made
    assert all(document in rendered for document in made)


def test_the_operator_tells_its_chart(training: Platform, chart: Chart) -> None:
    operator = GpuOperator(chart, "gpu-operator", platform=training)
    assert (operator.release.chart, operator.namespace) == ("gpu-operator", "gpu-operator")
    assert operator.objects[0].document["spec"]["source"]["helm"]["valuesObject"] == dict(
        operator.release.values
    )


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
