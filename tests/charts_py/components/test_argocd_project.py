"""What an AppProject allows."""

from collections.abc import Callable, Iterable

import pytest
from constructs import Construct

from charts_py.component import Component
from charts_py.components import efa_device_plugin, gpu_operator, node_feature_discovery
from charts_py.components.argocd_project import Project, ProjectProps
from charts_py.document import Document, EmittedKind, key_of
from charts_py.permissions import Destination, Permissions, permissions_of
from charts_py.platform.platform import Platform

_REPOSITORY = "https://git.example.com/platform.git"
_CHARTS = "https://charts.example.com"
_SERVER = "https://sample.example.com"


def test_a_project_lists_what_is_allowed_and_nothing_else(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    props = ProjectProps(
        cluster="sample",
        argocd_namespace="argocd",
        permissions=Permissions(
            repositories=frozenset({_REPOSITORY, _CHARTS}),
            destinations=frozenset({Destination(_SERVER, "team"), Destination(_SERVER, "default")}),
            cluster_kinds=frozenset(
                {
                    EmittedKind("scheduling.k8s.io", "PriorityClass", namespaced=False),
                    EmittedKind("", "Namespace", namespaced=False),
                }
            ),
        ),
    )
    assert documents_of(lambda scope: Project(scope, "project", props)) == (
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "AppProject",
            "metadata": {
                "name": "sample-platform",
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
    sample: Callable[..., str],
    rendered: Callable[[Component], tuple[Document, ...]],
) -> None:
    platform = platform_of(sample("intel")) if cluster == "intel" else example(cluster)
    components = tuple(plan(platform))
    (release,) = (component for component in components if component.helm is not None)
    named = {key_of(document).namespace for document in rendered(release)} - {""}
    allowed = permissions_of(components, {}, platform.cluster.gitops).destinations
    assert named <= {each.namespace for each in allowed}
