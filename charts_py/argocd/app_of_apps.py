"""Applications that sync other Applications.

https://argo-cd.readthedocs.io/en/stable/operator-manual/cluster-bootstrapping/
"""

from charts_py.argocd.application import Application, git_folder
from charts_py.cluster_file.gitops import IN_CLUSTER, GitOps
from charts_py.objects.sync_options import KEEP_FOREIGN_FIELDS

_PROJECT = "default"
"""A cluster's own project is among the objects that these apply."""


def app_of_apps(
    name: str, gitops: GitOps, folder: str, *, include: str | None = None
) -> Application:
    """Return the Application that syncs a folder, or its files that match a glob, into Argo CD."""
    return Application(
        name=name,
        argocd_namespace=gitops.argocd_namespace,
        project=_PROJECT,
        source=git_folder(gitops, folder, include=include),
        server=IN_CLUSTER,
        namespace=gitops.argocd_namespace,
        sync_options=(KEEP_FOREIGN_FIELDS,),
    )
