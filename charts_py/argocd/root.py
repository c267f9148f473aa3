"""The Application that a person applies once per cluster; everything else follows from it."""

from charts_py.argocd.app_of_apps import app_of_apps
from charts_py.argocd.application import Application
from charts_py.argocd.pinned_files import LIVE_APPLICATION, PROJECT
from charts_py.cluster_file.gitops import GitOps

_FOLLOWED = f"{{{LIVE_APPLICATION},{PROJECT}}}"
"""All files but that of the Application that follows them."""


def root_application(cluster: str, gitops: GitOps) -> Application:
    """Return the Application that follows the files of the live Application and of the AppProject.

    Promoting or rolling back is a commit that changes these; this Application stays the same for
    the cluster's life. Deleting it leaves the platform running: it has no finalizer.
    """
    return app_of_apps(f"{cluster}-root", gitops, f"dist/{cluster}", include=_FOLLOWED)
