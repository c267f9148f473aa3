from charts_py.argocd.application import Application, git_folder, live_application, root_application
from charts_py.cluster_file.gitops import GitOps
from tests.charts_py.fixture_types import Load, PlatformWith, Sample
from tests.charts_py.managed import managed

GITOPS = GitOps(repository="https://git.example.com/platform.git")
BACKOFF = {"duration": "10s", "factor": 2, "maxDuration": "5m"}
AUTOMATIC = {
    "automated": {"prune": True, "selfHeal": True},
    "retry": {"limit": 5, "refresh": True, "backoff": BACKOFF},
}


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
                "syncPolicy": {**AUTOMATIC, "syncOptions": ["ServerSideApply=true"]},
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


def test_the_root_application_follows_the_live_application_and_the_project(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("fleet-member")
    document = root_application(platform.name, platform.cluster.gitops).document()
    assert document["metadata"]["name"] == "sample-root"
    assert document["metadata"]["namespace"] == "gitops"
    assert document["spec"]["source"] == {
        "repoURL": "https://git.example.com/platform.git",
        "targetRevision": "stable",
        "path": "dist/sample",
        "directory": {"include": "{live-application.yaml,project.yaml}"},
    }


def test_the_root_application_is_the_same_for_every_live_version(
    platform_of: Load, sample: Sample
) -> None:
    changed = sample("fleet-member", ("live: 1.0.0", "live: 1.1.0"))
    platforms = [platform_of(text) for text in (sample("fleet-member"), changed)]
    roots = [root_application(each.name, each.cluster.gitops) for each in platforms]
    assert roots[0] == roots[1]


def test_the_live_application_syncs_the_live_version_where_argo_cd_runs(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("fleet-member")
    document = live_application(platform, prunes_last=False).document()
    assert document == {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": managed("sample-live", "gitops"),
        "spec": {
            "project": "default",
            "source": {
                "repoURL": "https://git.example.com/platform.git",
                "targetRevision": "stable",
                "path": "dist/sample/1.0.0/argocd",
            },
            "destination": {"server": "https://kubernetes.default.svc", "namespace": "gitops"},
            "syncPolicy": {
                **AUTOMATIC,
                "syncOptions": ["ServerSideApply=true", "ClientSideApplyMigration=false"],
            },
        },
    }


def test_the_app_project_of_an_earlier_version_goes_once_no_application_names_it(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("fleet-member")
    document = live_application(platform, prunes_last=True).document()
    assert document["spec"]["syncPolicy"]["syncOptions"] == [
        "ServerSideApply=true",
        "ClientSideApplyMigration=false",
        "PruneLast=true",
    ]
