import pytest

from charts_py.argocd.applications import application_of
from charts_py.components.namespaces import NAMESPACES
from charts_py.components.registry import plan_components
from charts_py.objects.document import Document
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith

CONFIRMED = {"argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm"}


def _namespace(name: str, minor: str, level: str, **metadata: object) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": name,
            "labels": {
                "app.kubernetes.io/managed-by": "gpuplane",
                "pod-security.kubernetes.io/audit": level,
                "pod-security.kubernetes.io/audit-version": minor,
                "pod-security.kubernetes.io/enforce": level,
                "pod-security.kubernetes.io/enforce-version": minor,
                "pod-security.kubernetes.io/warn": level,
                "pod-security.kubernetes.io/warn-version": minor,
            },
            **metadata,
        },
    }


def privileged(name: str, minor: str) -> Document:
    return _namespace(name, minor, "privileged")


def of_node_pools(minor: str) -> Document:
    confirmed = {"argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm"}
    return _namespace("node-pools", minor, "restricted", annotations=confirmed)


def test_what_runs_on_nodes_has_a_privileged_namespace_and_all_else_a_restricted_one(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (component,) = NAMESPACES.plan(example("onprem"))
    assert documents_of_component(component) == (
        privileged("amd-gpu-operator", "v1.36"),
        privileged("gpu-burn-in", "v1.36"),
        privileged("gpu-operator", "v1.36"),
        _namespace("gpuplane-culling", "v1.36", "restricted"),
        _namespace("mlflow", "v1.36", "restricted", annotations=CONFIRMED),
        privileged("node-problem-detector", "v1.36"),
    )


@pytest.mark.parametrize(
    ("cluster", "minor", "others"), [("inference", "v1.34", ()), ("mixed", "v1.33", ("opencost",))]
)
def test_objects_that_nodes_are_made_from_have_a_namespace_where_no_pod_may_do_anything(
    example: Load,
    documents_of_component: DocumentsOf,
    cluster: str,
    minor: str,
    others: tuple[str, ...],
) -> None:
    (component,) = NAMESPACES.plan(example(cluster))
    assert documents_of_component(component) == (
        privileged("gpu-operator", minor),
        of_node_pools(minor),
        privileged("node-problem-detector", minor),
        *(_namespace(name, minor, "restricted") for name in others),
    )


def test_a_namespace_that_goes_last_is_not_among_them(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (component,) = NAMESPACES.plan(example("training"))
    minor = "v1.35"
    assert documents_of_component(component) == (
        privileged("gpu-operator", minor),
        of_node_pools(minor),
        privileged("node-problem-detector", minor),
    )


def test_it_is_synced_before_what_stands_in_it_and_removed_after_all_else(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("training")
    planned = {each.name: each for each in plan_components(platform)}
    for name in ("jobset-system", "kubeflow-system"):
        annotations = application_of(platform, planned[f"{name}-namespace"]).metadata.annotations
        assert annotations == {
            "argocd.argoproj.io/sync-options": "PruneLast=true",
            "argocd.argoproj.io/sync-wave": "-1",
        }
    assert planned["jobset-system-namespace"].wave < planned["jobset"].wave
