"""The AppProject that bounds what a cluster's Applications may do."""

from collections.abc import Callable
from dataclasses import dataclass

from constructs import Construct

from charts_py.argocd.application import API_VERSION, CASCADE, SYNC_WAVE
from charts_py.argocd.permissions import Permissions
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform

_WAVE = -1
"""Before the live Application, beside which it stands."""


@dataclass(frozen=True, slots=True)
class ProjectProps:
    """What a project allows, and where."""

    cluster: str
    argocd_namespace: str
    permissions: Permissions


class Project(Construct):
    """An AppProject: what lives in no namespace by its kind, and all in the platform's namespaces.

    It stands outside of the version folders and allows what any of them needs: Argo CD prunes
    nothing that the project denies, so one that came with a version would keep what that version
    has dropped.
    https://argo-cd.readthedocs.io/en/stable/operator-manual/project-specification/
    """

    def __init__(self, scope: Construct, id: str, props: ProjectProps) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(
            name=project_name(props.cluster),
            namespace=props.argocd_namespace,
            annotations={SYNC_WAVE: str(_WAVE)},
            finalizers=(CASCADE,),
        )
        add_object(self, API_VERSION, "AppProject", metadata, {"spec": _spec(props)})


def project_name(cluster: str) -> str:
    """Return the name of a cluster's AppProject.

    The cluster's own name is that of the AppProject which versions once had in their folders, and
    which is pruned with them.
    """
    return f"{cluster}-platform"


def construct(platform: Platform, permissions: Permissions) -> Callable[[Construct], object]:
    """Return what adds the AppProject of a cluster."""
    argocd_namespace = platform.cluster.gitops.argocd_namespace
    props = ProjectProps(platform.name, argocd_namespace, permissions)
    return lambda scope: Project(scope, "project", props)


def _spec(props: ProjectProps) -> dict[str, object]:
    allowed = props.permissions
    return {
        "description": f"GPU platform of the cluster {props.cluster}",
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
