"""What an AppProject allows."""

from charts_py.argocd.permissions import Destination, Permissions
from charts_py.argocd.project import project
from charts_py.objects.document import EmittedKind

_REPOSITORY = "https://git.example.com/platform.git"
_CHARTS = "https://charts.example.com"
_SERVER = "https://sample.example.com"


def test_a_project_lists_what_is_allowed_and_nothing_else() -> None:
    allowed = Permissions(
        repositories=frozenset({_REPOSITORY, _CHARTS}),
        destinations=frozenset({Destination(_SERVER, "team"), Destination(_SERVER, "default")}),
        cluster_kinds=frozenset(
            {
                EmittedKind("scheduling.k8s.io", "PriorityClass", namespaced=False),
                EmittedKind("", "Namespace", namespaced=False),
            }
        ),
    )
    assert project("sample", "argocd", allowed) == (
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "AppProject",
            "metadata": {
                "name": "sample-platform",
                "namespace": "argocd",
                "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
                "annotations": {"argocd.argoproj.io/sync-wave": "-2"},
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
        }
    )
