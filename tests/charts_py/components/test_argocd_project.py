"""What an AppProject allows."""

from collections.abc import Callable, Iterable

import pytest
from constructs import Construct

from charts_py.component import Component, HelmRelease, Wave
from charts_py.components import efa_device_plugin, gpu_operator, node_feature_discovery
from charts_py.components.argocd_project import (
    Permissions,
    Project,
    ProjectProps,
    permissions_of,
)
from charts_py.document import Document, EmittedKind, key_of
from charts_py.platform.platform import Platform
from charts_py.render import render

_REPOSITORY = "https://git.example.com/platform.git"
_CHARTS = "https://charts.example.com"

INTEL_ALONE = """
provider: onprem
region: here
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
pools:
  max1550: {gpu: Max-1550, gpus: 4, cpu: 128, memory: 1Ti, purpose: training, nodes: {max: 1}}
"""


def _object(api_version: str, kind: str, namespace: str | None = None) -> Document:
    metadata = {"name": "a"} if namespace is None else {"name": "a", "namespace": namespace}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}


def test_a_project_lists_what_is_allowed_and_nothing_else(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    props = ProjectProps(
        name="sample",
        argocd_namespace="argocd",
        server="https://sample.example.com",
        permissions=Permissions(
            repositories=frozenset({_REPOSITORY, _CHARTS}),
            namespaces=frozenset({"team", "default"}),
            cluster_kinds=frozenset(
                {
                    EmittedKind("scheduling.k8s.io", "PriorityClass", namespaced=False),
                    EmittedKind("", "Namespace", namespaced=False),
                }
            ),
        ),
        wave=-1,
    )
    assert documents_of(lambda scope: Project(scope, "project", props)) == (
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "AppProject",
            "metadata": {
                "name": "sample",
                "namespace": "argocd",
                "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
                "annotations": {"argocd.argoproj.io/sync-wave": "-1"},
                "finalizers": ["resources-finalizer.argocd.argoproj.io"],
            },
            "spec": {
                "description": "GPU platform of the cluster sample",
                "sourceRepos": [_CHARTS, _REPOSITORY],
                "destinations": [
                    {"server": "https://sample.example.com", "namespace": "default"},
                    {"server": "https://sample.example.com", "namespace": "team"},
                ],
                "clusterResourceWhitelist": [
                    {"group": "", "kind": "Namespace"},
                    {"group": "scheduling.k8s.io", "kind": "PriorityClass"},
                ],
            },
        },
    )


def test_permissions_are_what_the_synced_components_need_and_all_kinds_of_ours() -> None:
    release = HelmRelease(
        repository=_CHARTS,
        chart="operator",
        version="1.0.0",
        values={},
        kinds=(
            EmittedKind("apps", "Deployment", namespaced=True),
            EmittedKind("example.com", "Policy", namespaced=False),
        ),
    )
    components = (
        Component("queues", Wave.TEAMS, "default"),
        Component("operator", Wave.OPERATORS, "operators", helm=release),
        Component("by-hand", Wave.NODES, "elsewhere", is_synced=False),
        Component("manifests", Wave.EXTENSIONS, "default"),
    )
    folders = {
        "queues": (_object("v1", "Namespace"), _object("v1", "ConfigMap", "team")),
        "by-hand": (_object("eksctl.io/v1alpha5", "ClusterConfig"),),
        "manifests": (_object("example.com/v1", "Widget"),),
    }
    ours = permissions_of((), {}, _REPOSITORY).cluster_kinds
    assert permissions_of(components, folders, _REPOSITORY) == Permissions(
        repositories=frozenset({_REPOSITORY, _CHARTS}),
        namespaces=frozenset({"default", "operators", "team"}),
        cluster_kinds=ours
        | {
            EmittedKind("example.com", "Policy", namespaced=False),
            EmittedKind("example.com", "Widget", namespaced=False),
        },
    )


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_what_a_version_drops_may_be_pruned_by_the_next(
    cluster: str, example: Callable[[str], Platform]
) -> None:
    ours = {_named(kind) for kind in permissions_of((), {}, _REPOSITORY).cluster_kinds}
    folders = render(example(cluster)).folders
    (project,) = (each for each in folders["argocd"] if each["kind"] == "AppProject")
    own = {_named(key_of(document).emitted_kind) for document in folders.get("manifests", ())}
    allowed = {
        (each["group"], each["kind"]) for each in project["spec"]["clusterResourceWhitelist"]
    }
    assert allowed - ours - own == set()


def _named(kind: EmittedKind) -> tuple[str, str]:
    return kind.group, kind.kind


@pytest.mark.parametrize(
    ("cluster", "plan"),
    [
        *((cluster, gpu_operator.plan) for cluster in ("training", "inference", "mixed", "onprem")),
        ("training", efa_device_plugin.plan),
        ("intel", node_feature_discovery.plan),
    ],
)
def test_every_namespace_that_a_chart_names_is_a_destination(
    cluster: str,
    plan: Callable[[Platform], Iterable[Component]],
    example: Callable[[str], Platform],
    platform_of: Callable[[str], Platform],
    rendered: Callable[[Component], tuple[Document, ...]],
) -> None:
    components = tuple(plan(platform_of(INTEL_ALONE) if cluster == "intel" else example(cluster)))
    (release,) = (component for component in components if component.helm is not None)
    named = {key_of(document).namespace for document in rendered(release)} - {""}
    assert named <= permissions_of(components, {}, _REPOSITORY).namespaces
