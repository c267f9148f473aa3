"""The Application that a person applies once."""

from charts_py.argocd.roots import live_application, root_application
from tests.charts_py.fixture_types import Load, PlatformWith, Sample
from tests.charts_py.managed import managed


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
                "automated": {"prune": True, "selfHeal": True},
                "retry": {
                    "limit": 5,
                    "refresh": True,
                    "backoff": {"duration": "10s", "factor": 2, "maxDuration": "5m"},
                },
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
