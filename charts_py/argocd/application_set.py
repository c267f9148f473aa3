"""The ApplicationSet that generates the root Applications of a fleet."""

from charts_py.argocd.application import API_VERSION
from charts_py.argocd.root import root_application
from charts_py.cluster_file.gitops import GitOps
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of


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
