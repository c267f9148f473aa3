from charts_py.argocd.project import Destination, Permissions, permissions_of, project
from charts_py.cluster_file.gitops import GitOps
from charts_py.components.component import Component, HelmRelease
from charts_py.objects.document import Document, EmittedKind
from charts_py.platform.wave import Wave
from tests.charts_py.managed import managed

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
            "metadata": managed(
                "sample-platform",
                "argocd",
                annotations={"argocd.argoproj.io/sync-wave": "-2"},
                finalizers=["resources-finalizer.argocd.argoproj.io"],
            ),
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


def _object(api_version: str, kind: str, namespace: str | None = None) -> Document:
    metadata = {"name": "a"} if namespace is None else {"name": "a", "namespace": namespace}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}


def test_permissions_are_what_the_synced_components_need() -> None:
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
    gitops = GitOps(repository=_REPOSITORY, server=_SERVER)
    assert permissions_of(components, folders, gitops) == Permissions(
        repositories=frozenset({_REPOSITORY, _CHARTS}),
        destinations=frozenset(
            Destination(_SERVER, namespace) for namespace in ("default", "operators", "team")
        ),
        cluster_kinds=frozenset(
            {
                EmittedKind("", "Namespace", namespaced=False),
                EmittedKind("example.com", "Policy", namespaced=False),
                EmittedKind("example.com", "Widget", namespaced=False),
            }
        ),
    )


def test_two_permissions_allow_what_either_does() -> None:
    namespace = EmittedKind("", "Namespace", namespaced=False)
    policy = EmittedKind("example.com", "Policy", namespaced=False)
    here, there = Destination(_SERVER, "a"), Destination("https://other.example.com", "a")
    one = Permissions(frozenset({_REPOSITORY}), frozenset({here}), frozenset({namespace}))
    other = Permissions(frozenset({_CHARTS}), frozenset({there}), frozenset({namespace, policy}))
    assert one | other == Permissions(
        frozenset({_REPOSITORY, _CHARTS}), frozenset({here, there}), frozenset({namespace, policy})
    )
