"""The Application that names the live version."""

from collections.abc import Callable

from constructs import Construct

from charts_py.argocd import live as live_application
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform

_Synthesize = Callable[[Callable[[Construct], object]], tuple[Document, ...]]


def test_the_live_application_syncs_the_live_version_where_argo_cd_runs(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    documents_of: _Synthesize,
) -> None:
    platform = platform_of(sample("fleet-member"))
    (document,) = documents_of(live_application.construct(platform, prunes_last=False))
    assert document == {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {
            "name": "sample-live",
            "namespace": "gitops",
            "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
        },
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
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    documents_of: _Synthesize,
) -> None:
    platform = platform_of(sample("fleet-member"))
    (document,) = documents_of(live_application.construct(platform, prunes_last=True))
    assert document["spec"]["syncPolicy"]["syncOptions"] == [
        "ServerSideApply=true",
        "ClientSideApplyMigration=false",
        "PruneLast=true",
    ]
