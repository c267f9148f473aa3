"""The Namespace of a team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.team.namespace import labelled_namespace

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def document_of(
    platform: Platform,
    name: str,
) -> Document:
    (namespace,) = (space for space in platform.namespaces if space.name == name)
    return labelled_namespace(namespace, platform.cluster.kubernetes, {})


def test_a_namespace_says_whose_it_is_and_which_pods_it_takes(
    example: Callable[[str], Platform],
) -> None:
    assert document_of(example("training"), "research-training") == {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": "research-training",
            "labels": {
                "app.kubernetes.io/managed-by": "gpuplane",
                "gpuplane.io/cost-center": "4711",
                "gpuplane.io/project": "foundation-models",
                "gpuplane.io/purpose": "training",
                "gpuplane.io/team": "research",
                "pod-security.kubernetes.io/audit": "restricted",
                "pod-security.kubernetes.io/audit-version": "v1.35",
                "pod-security.kubernetes.io/enforce": "restricted",
                "pod-security.kubernetes.io/enforce-version": "v1.35",
                "pod-security.kubernetes.io/warn": "restricted",
                "pod-security.kubernetes.io/warn-version": "v1.35",
            },
            "annotations": {
                "argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm",
                "gpuplane.io/owner": "research-leads@example.com",
            },
        },
    }


def test_a_level_that_is_said_is_enforced_and_the_restricted_one_still_reported(
    example: Callable[[str], Platform],
) -> None:
    document = document_of(example("mixed"), "vision-notebooks")
    levels = {
        label: value
        for label, value in document["metadata"]["labels"].items()
        if label.startswith("pod-security") and not label.endswith("-version")
    }
    assert levels == {
        "pod-security.kubernetes.io/audit": "restricted",
        "pod-security.kubernetes.io/enforce": "baseline",
        "pod-security.kubernetes.io/warn": "restricted",
    }


def test_the_project_is_the_team_unless_said(
    example: Callable[[str], Platform],
) -> None:
    document = document_of(example("onprem"), "simulation-notebooks")
    assert document["metadata"]["labels"]["gpuplane.io/project"] == "simulation"
