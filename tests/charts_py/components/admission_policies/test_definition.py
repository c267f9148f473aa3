"""What the API server itself refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.components.admission_policies.granted_pools import granted_pools_policies
from charts_py.platform.policy_settings import policy_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def test_a_policy_and_its_binding_are_emitted(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    platform = example("training")
    (component,) = ADMISSION_POLICIES.plan(platform)
    documents = documents_of_component(component)
    (policy,) = granted_pools_policies(policy_settings(platform))
    assert [(each["kind"], each["spec"]) for each in documents] == [
        ("ValidatingAdmissionPolicy", policy.spec()),
        ("ValidatingAdmissionPolicyBinding", policy.binding_spec()),
    ]
    assert {each["metadata"]["name"] for each in documents} == {policy.name}


def test_it_is_there_where_pools_of_others_offer_the_same_resource(
    platforms: Mapping[str, Platform],
) -> None:
    wanted = [name for name, each in platforms.items() if ADMISSION_POLICIES.is_wanted(each)]
    assert wanted == ["training", "inference", "mixed", "onprem", "sample-dra"]


def test_it_goes_with_the_webhook_which_makes_pods_pass_it(
    example: Callable[[str], Platform],
) -> None:
    platform = example("training")
    off = platform.cluster.webhook.model_copy(update={"enabled": False})
    without = replace(platform, cluster=platform.cluster.model_copy(update={"webhook": off}))
    assert not ADMISSION_POLICIES.is_wanted(without)
