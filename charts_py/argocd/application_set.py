"""The ApplicationSet that generates the root Applications of a fleet."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.argocd.application import API_VERSION
from charts_py.argocd.root import RootApplicationProps
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.spec.gitops import GitOps


@dataclass(frozen=True, slots=True)
class FleetApplicationSetProps:
    """The clusters that one Argo CD serves."""

    name: str
    gitops: GitOps
    """Where that Argo CD runs and what it reads."""
    clusters: tuple[str, ...]


class FleetApplicationSet(Construct):
    """An ApplicationSet with one element a cluster; its template is the root Application.

    https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/applicationset-specification/
    """

    def __init__(self, scope: Construct, id: str, props: FleetApplicationSetProps) -> None:
        super().__init__(scope, id)
        root = RootApplicationProps("{{ .cluster }}", props.gitops).application
        elements = [{"cluster": cluster} for cluster in props.clusters]
        spec = {
            "goTemplate": True,
            "goTemplateOptions": ["missingkey=error"],
            "generators": [{"list": {"elements": elements}}],
            "template": {"metadata": root.metadata.manifest(), "spec": root.spec},
            # A cluster that leaves the list takes nothing down, nor does the list's own deletion.
            "syncPolicy": {
                "applicationsSync": "create-update",
                "preserveResourcesOnDeletion": True,
            },
        }
        metadata = ObjectMeta(props.name, props.gitops.argocd_namespace)
        add_object(self, API_VERSION, "ApplicationSet", metadata, {"spec": spec})
