"""What the API server itself refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.components.admission_policies.external_addresses import EXTERNAL_ADDRESSES
from charts_py.components.admission_policies.granted_pools import granted_pools_policies
from charts_py.components.admission_policies.grants import grants_of
from charts_py.components.admission_policies.pods import pods_policies
from charts_py.platform.policy_settings import policy_settings
from policies.in_cel.action import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def test_each_policy_is_emitted_with_its_binding(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    platform = example("training")
    (component,) = ADMISSION_POLICIES.plan(platform)
    settings = policy_settings(platform)
    policies = (
        EXTERNAL_ADDRESSES,
        *granted_pools_policies(settings),
        *(each for each in pods_policies(settings) if each.action is Action.DENY),
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


def test_it_is_there_where_there_is_a_team(platforms: Mapping[str, Platform]) -> None:
    without = [name for name, each in platforms.items() if not ADMISSION_POLICIES.is_wanted(each)]
    assert without == [name for name, each in platforms.items() if not each.cluster.teams]


def test_what_is_about_pools_is_there_where_others_have_gpus_of_the_same_vendor(
    platforms: Mapping[str, Platform],
) -> None:
    wanted = [name for name, each in platforms.items() if grants_of(policy_settings(each))]
    assert wanted == ["training", "inference", "mixed", "onprem", "sample-dra", "sample-eks"]


def test_what_is_about_pools_goes_with_the_webhook_which_makes_pods_pass_it(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    platform = example("training")
    off = platform.cluster.webhook.model_copy(update={"enabled": False})
    without = replace(platform, cluster=platform.cluster.model_copy(update={"webhook": off}))
    (component,) = ADMISSION_POLICIES.plan(without)
    names = {each["metadata"]["name"] for each in documents_of_component(component)}
    assert not {name for name in names if name.startswith("granted-pools.")}
