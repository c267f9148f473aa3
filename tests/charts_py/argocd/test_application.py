"""One Argo CD Application."""

from charts_py.argocd.application import Application, git_folder
from charts_py.cluster_file.gitops import GitOps
from tests.charts_py.managed import managed

GITOPS = GitOps(repository="https://git.example.com/platform.git")


def test_an_application_syncs_its_source_server_side_and_automatically() -> None:
    application = Application(
        name="sample-queues",
        argocd_namespace="argocd",
        project="sample",
        source=git_folder(GITOPS, "dist/sample"),
        server="https://sample.example.com",
        namespace="queues",
    )
    assert application.document() == (
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "Application",
            "metadata": managed("sample-queues", "argocd"),
            "spec": {
                "project": "sample",
                "source": {
                    "repoURL": "https://git.example.com/platform.git",
                    "targetRevision": "main",
                    "path": "dist/sample",
                },
                "destination": {"server": "https://sample.example.com", "namespace": "queues"},
                "syncPolicy": {
                    "automated": {"prune": True, "selfHeal": True},
                    "retry": {
                        "limit": 5,
                        "refresh": True,
                        "backoff": {"duration": "10s", "factor": 2, "maxDuration": "5m"},
                    },
                    "syncOptions": ["ServerSideApply=true"],
                },
            },
        }
    )


def test_wave_and_cascade_are_in_the_metadata() -> None:
    application = Application("a", "argocd", "p", {}, "s", "n", wave=3, is_cascading=True)
    assert application.metadata.manifest() == managed(
        "a",
        "argocd",
        annotations={"argocd.argoproj.io/sync-wave": "3"},
        finalizers=["resources-finalizer.argocd.argoproj.io"],
    )


def test_ignored_differences_are_respected_by_a_sync() -> None:
    ignored = {"group": "apps", "kind": "Deployment", "jsonPointers": ["/spec/replicas"]}
    application = Application("a", "argocd", "p", {}, "s", "n", ignore_differences=(ignored,))
    assert application.spec["ignoreDifferences"] == [ignored]
    assert application.spec["syncPolicy"]["syncOptions"] == [
        "ServerSideApply=true",
        "RespectIgnoreDifferences=true",
    ]


def test_a_folder_can_be_narrowed_to_some_of_its_files() -> None:
    whole = {"repoURL": GITOPS.repository, "targetRevision": "main", "path": "dist"}
    assert git_folder(GITOPS, "dist") == whole
    narrowed = git_folder(GITOPS, "dist", include="a.yaml")
    assert narrowed == {**whole, "directory": {"include": "a.yaml"}}


def test_the_folder_of_a_platform_that_is_not_the_root_of_its_repository_comes_first() -> None:
    gitops = GITOPS.model_copy(update={"path": "platform/gpus"})
    assert git_folder(gitops, "dist/sample")["path"] == "platform/gpus/dist/sample"
