"""The platform's own namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components import namespaces

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.component import Component
    from charts_py.document import Document
    from charts_py.platform.platform import Platform


def privileged(name: str, minor: str) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": name,
            "labels": {
                "app.kubernetes.io/managed-by": "gpuplane",
                "pod-security.kubernetes.io/audit": "privileged",
                "pod-security.kubernetes.io/audit-version": minor,
                "pod-security.kubernetes.io/enforce": "privileged",
                "pod-security.kubernetes.io/enforce-version": minor,
                "pod-security.kubernetes.io/warn": "privileged",
                "pod-security.kubernetes.io/warn-version": minor,
            },
        },
    }


def test_the_operator_of_each_vendor_has_a_privileged_namespace(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    (component,) = namespaces.plan(example("onprem"))
    assert documents_of_component(component) == (
        privileged("amd-gpu-operator", "v1.36"),
        privileged("gpu-operator", "v1.36"),
    )


def test_a_vendor_without_a_pool_has_no_namespace(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    (component,) = namespaces.plan(example("training"))
    assert documents_of_component(component) == (privileged("gpu-operator", "v1.35"),)
