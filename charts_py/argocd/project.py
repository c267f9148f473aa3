"""The AppProject that bounds what a cluster's Applications may do."""

from charts_py.argocd.application import API_VERSION, CASCADE
from charts_py.argocd.permissions import Permissions
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.wave import SYNC_WAVE, Wave

"""Before the live Application, which is synced with it."""


def project(cluster: str, argocd_namespace: str, allowed: Permissions) -> Document:
    """Return the AppProject: cluster-scoped objects by kind, and all in the platform's namespaces.

    It is outside the version folders and allows what any of them needs: Argo CD prunes nothing
    that the project denies, so a project that came with a version would keep what that version
    has dropped.
    https://argo-cd.readthedocs.io/en/stable/operator-manual/project-specification/
    """
    metadata = ObjectMeta(
        name=project_name(cluster),
        namespace=argocd_namespace,
        annotations={SYNC_WAVE: str(Wave.BEFORE_ALL.value)},
        finalizers=(CASCADE,),
    )
    spec = {
        "description": f"GPU platform of the cluster {cluster}",
        "sourceRepos": sorted(allowed.repositories),
        "destinations": [
            {"server": each.server, "namespace": each.namespace}
            for each in sorted(allowed.destinations)
        ],
        "clusterResourceWhitelist": [
            {"group": allowed_kind.group, "kind": allowed_kind.kind}
            for allowed_kind in sorted(allowed.cluster_kinds)
        ],
    }
    return object_of(API_VERSION, "AppProject", metadata, {"spec": spec})


def project_name(cluster: str) -> str:
    """Return the name of a cluster's AppProject.

    The cluster's own name belongs to the AppProject that versions once had in their folders, which
    is pruned with them.
    """
    return f"{cluster}-platform"
