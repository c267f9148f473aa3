"""What a person applies once per cluster or fleet; everything else follows from it."""

from dataclasses import replace

from charts_py.argocd.application import API_VERSION, Application, app_of_apps
from charts_py.argocd.applications import NAME, version_folder
from charts_py.cluster_file.gitops import GitOps
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.sync_options import PRUNE_LAST
from charts_py.platform.platform import Platform

ROOT_APPLICATION = "root-application.yaml"
"""What a person applies once."""
LIVE_APPLICATION = "live-application.yaml"
"""What names the live version; the root Application follows it."""
PROJECT = "project.yaml"
"""What all versions together may do; the root Application follows it."""
_FOLLOWED = f"{{{LIVE_APPLICATION},{PROJECT}}}"
"""All files but that of the Application that follows them."""


def root_application(cluster: str, gitops: GitOps) -> Application:
    """Return the Application that follows the files of the live Application and of the AppProject.

    Promoting or rolling back is a commit that changes these; this Application stays the same for
    the cluster's life. Deleting it leaves the platform running: it has no finalizer.
    """
    return app_of_apps(f"{cluster}-root", gitops, f"dist/{cluster}", include=_FOLLOWED)


def live_application(platform: Platform, *, prunes_last: bool) -> Application:
    """Return the Application that syncs the Applications of the live version.

    It is not the root Application itself: one that follows its own file delays a rollback until
    the version that it leaves is healthy.
    """
    path = version_folder(platform.name, platform.live, NAME)
    live = app_of_apps(f"{platform.name}-live", platform.cluster.gitops, path)
    if prunes_last:
        # Versions once had an AppProject in their folder, whose deletion waits until no Application
        # names it. The price is the order of removal, which is otherwise the reverse of creation.
        return replace(live, sync_options=(*live.sync_options, PRUNE_LAST))
    return live


def application_set(name: str, gitops: GitOps, clusters: tuple[str, ...]) -> Document:
    """Return an ApplicationSet with one element per cluster; its template is the root Application.

    `gitops` describes the Argo CD that serves them all, and what it reads.
    https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/applicationset-specification/
    """
    root = root_application("{{ .cluster }}", gitops)
    spec = {
        "goTemplate": True,
        "goTemplateOptions": ["missingkey=error"],
        "generators": [{"list": {"elements": [{"cluster": cluster} for cluster in clusters]}}],
        "template": {"metadata": root.metadata.manifest(), "spec": root.spec},
        # Neither a cluster that leaves the list nor the deletion of the list takes anything down.
        "syncPolicy": {"applicationsSync": "create-update", "preserveResourcesOnDeletion": True},
    }
    metadata = ObjectMeta(name, gitops.argocd_namespace)
    return object_of(API_VERSION, "ApplicationSet", metadata, {"spec": spec})
