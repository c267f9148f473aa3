"""Namespaces that go after what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.argocd.applications import application_of
from charts_py.components.lasting_namespaces.definition import LASTING_NAMESPACES
from charts_py.components.registry import plan_components

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def test_each_has_an_application_of_its_own(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    found = {
        component.name: [each["metadata"]["name"] for each in documents_of_component(component)]
        for component in LASTING_NAMESPACES.plan(platform_of(sample("training")))
    }
    assert found == {
        "jobset-system-namespace": ["jobset-system"],
        "kubeflow-system-namespace": ["kubeflow-system"],
    }


def test_it_is_synced_before_what_stands_in_it_and_removed_after_all_else(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    platform = platform_of(sample("training"))
    planned = {each.name: each for each in plan_components(platform)}
    for name in ("jobset-system", "kubeflow-system"):
        annotations = application_of(platform, planned[f"{name}-namespace"]).metadata.annotations
        assert annotations == {
            "argocd.argoproj.io/sync-options": "PruneLast=true",
            "argocd.argoproj.io/sync-wave": "-1",
        }
    assert planned["jobset-system-namespace"].wave < planned["jobset"].wave


def test_a_cluster_without_such_an_operator_has_none(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    assert list(LASTING_NAMESPACES.plan(platform_of(sample("intel")))) == []
