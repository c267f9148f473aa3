"""The AppProject that bounds what a cluster's Applications may do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from constructs import Construct

from charts_py.component import Component, Wave
from charts_py.components.argocd_application import API_VERSION, CASCADE, SYNC_WAVE
from charts_py.document import Document, EmittedKind, ObjectKey, key_of
from charts_py.kube_object import ObjectMeta, add_object


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the synced components need, and no more."""

    repositories: frozenset[str]
    namespaces: frozenset[str]
    kinds: frozenset[EmittedKind]


@dataclass(frozen=True, slots=True)
class ProjectProps:
    """What a project allows, and where."""

    name: str
    argocd_namespace: str
    server: str
    permissions: Permissions
    wave: int


class Project(Construct):
    """An AppProject; what it does not list is denied.

    Argo CD also hides from an Application's tree what the project denies, such as the pods of a
    Deployment: they show with kubectl.
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
        "clusterResourceWhitelist": _kinds(allowed, namespaced=False),
        "namespaceResourceWhitelist": _kinds(allowed, namespaced=True),
    }


def _kinds(allowed: Permissions, *, namespaced: bool) -> list[dict[str, str]]:
    return [
        {"group": emitted.group, "kind": emitted.kind}
        for emitted in sorted(allowed.kinds)
        if emitted.namespaced is namespaced
    ]


def permissions_of(
    components: Iterable[Component],
    folders: Mapping[str, tuple[Document, ...]],
    repository: str,
) -> Permissions:
    """Return what the synced of these components need; `folders` has their objects by name."""
    synced = [component for component in components if component.is_synced]
    releases = [component.helm for component in synced if component.helm is not None]
    released = {kind for release in releases for kind in release.kinds}
    objects = [
        (component, key_of(document))
        for component in synced
        for document in folders.get(component.name, ())
    ]
    namespaces = {key.namespace for _, key in objects if key.namespace}
    return Permissions(
        repositories=frozenset({repository} | {release.repository for release in releases}),
        namespaces=frozenset(namespaces | {component.namespace for component in synced}),
        kinds=frozenset(_emitted(objects, released)),
    )


def _emitted(
    objects: Iterable[tuple[Component, ObjectKey]], released: set[EmittedKind]
) -> set[EmittedKind]:
    """Return the kinds, each in its scope where that is told and in both where it is not.

    What a cluster adds itself may leave its namespace to the Application. A kind has one scope
    only, so allowing it in the other as well allows nothing more.
    """
    told = set(released)
    untold: set[EmittedKind] = set()
    for component, key in objects:
        is_told = key.namespace or component.wave is not Wave.EXTENSIONS
        (told if is_told else untold).add(key.emitted_kind)
    for kind in untold:
        namespaced = replace(kind, namespaced=True)
        if kind not in told and namespaced not in told:
            told |= {kind, namespaced}
    return told
