"""What an AppProject allows."""

from collections.abc import Callable

from constructs import Construct

from charts_py.argocd.permissions import Destination, Permissions
from charts_py.argocd.project import Project, ProjectProps
from charts_py.objects.document import Document, EmittedKind

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
