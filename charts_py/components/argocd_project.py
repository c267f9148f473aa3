"""The AppProject that bounds what a cluster's Applications may do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from constructs import Construct

from charts_py.component import Component
from charts_py.components.argocd_application import API_VERSION, CASCADE, SYNC_WAVE
from charts_py.document import Document, EmittedKind, key_of
from charts_py.kube_object import ObjectMeta, add_object

_ALWAYS = frozenset(
    EmittedKind(group, kind, namespaced=False)
    for group, kind in (
        ("", "Namespace"),
        ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
        ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("karpenter.k8s.aws", "EC2NodeClass"),
        ("karpenter.sh", "NodeOverlay"),
        ("karpenter.sh", "NodePool"),
        ("nfd.k8s-sigs.io", "NodeFeatureRule"),
        ("nvidia.com", "ClusterPolicy"),
        ("rbac.authorization.k8s.io", "ClusterRole"),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
        ("scheduling.k8s.io", "PriorityClass"),
    )
)
"""What some platform of ours has. A version that has no object of a kind any more must still be
allowed to prune the one that an earlier version made."""


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the synced components need, and no more."""

    repositories: frozenset[str]
    namespaces: frozenset[str]
    cluster_kinds: frozenset[EmittedKind]
    """Kinds of objects that live in no namespace."""


@dataclass(frozen=True, slots=True)
class ProjectProps:
    """What a project allows, and where."""

    name: str
    argocd_namespace: str
    server: str
    permissions: Permissions
    wave: int


class Project(Construct):
    """An AppProject: what lives in no namespace by its kind, and all in the platform's namespaces.

    Argo CD prunes nothing that the project denies, and the project that decides is that of the
    version which has dropped it. So kinds are listed where a platform could do harm outside of its
    namespaces only, and none of ours is ever missing.
    https://argo-cd.readthedocs.io/en/stable/operator-manual/project-specification/
    """

    def __init__(self, scope: Construct, id: str, props: ProjectProps) -> None:  # noqa: A002 # as cdk8s names it
        super().__init__(scope, id)
        metadata = ObjectMeta(
            name=props.name,
            namespace=props.argocd_namespace,
            annotations={SYNC_WAVE: str(props.wave)},
            finalizers=(CASCADE,),
        )
        add_object(self, API_VERSION, "AppProject", metadata, {"spec": _spec(props)})


def _spec(props: ProjectProps) -> dict[str, object]:
    allowed = props.permissions
    return {
        "description": f"GPU platform of the cluster {props.name}",
        "sourceRepos": sorted(allowed.repositories),
        "destinations": [
            {"server": props.server, "namespace": namespace}
            for namespace in sorted(allowed.namespaces)
        ],
        "clusterResourceWhitelist": [
            {"group": allowed_kind.group, "kind": allowed_kind.kind}
            for allowed_kind in sorted(allowed.cluster_kinds)
        ],
    }


def permissions_of(
    components: Iterable[Component],
    folders: Mapping[str, tuple[Document, ...]],
    repository: str,
) -> Permissions:
    """Return what the synced of these components need; `folders` has their objects by name."""
    synced = [component for component in components if component.is_synced]
    releases = [component.helm for component in synced if component.helm is not None]
    keys = [
        key_of(document) for component in synced for document in folders.get(component.name, ())
    ]
    namespaces = {key.namespace for key in keys if key.namespace}
    released = {kind for release in releases for kind in release.kinds if not kind.namespaced}
    # What a cluster adds itself may leave its namespace to the Application. A kind has one scope
    # only, so allowing it outside of namespaces as well allows nothing more.
    emitted = {key.emitted_kind for key in keys if not key.namespace}
    return Permissions(
        repositories=frozenset({repository} | {release.repository for release in releases}),
        namespaces=frozenset(namespaces | {component.namespace for component in synced}),
        cluster_kinds=_ALWAYS | released | emitted,
    )
