"""The AppProject that bounds what a cluster's Applications may do, and what they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.argocd.application import API_VERSION, CASCADE
from charts_py.objects.document import Document, EmittedKind, keys_of, kinds_of
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.wave import SYNC_WAVE, Wave

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from charts_py.cluster_file.gitops import GitOps
    from charts_py.components.component import Component, HelmRelease, PinnedManifests


@dataclass(frozen=True, slots=True, order=True)
class Destination:
    """A namespace of a cluster, which is identified by the address of its API server."""

    server: str
    namespace: str


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the synced components of one version or several need, and no more."""

    repositories: frozenset[str] = frozenset()
    destinations: frozenset[Destination] = frozenset()
    cluster_kinds: frozenset[EmittedKind] = frozenset()
    """Kinds of cluster-scoped objects."""

    def __or__(self, other: Permissions) -> Permissions:
        return Permissions(
            self.repositories | other.repositories,
            self.destinations | other.destinations,
            self.cluster_kinds | other.cluster_kinds,
        )


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


def permissions_of(
    components: Iterable[Component], folders: Mapping[str, tuple[Document, ...]], gitops: GitOps
) -> Permissions:
    """Return what the synced of these components need; `folders` has their objects by name.

    Of a chart that is not rendered, what it says of itself stands for its objects, and so it does
    of manifests of others.
    """
    synced = [component for component in components if component.is_synced]
    elsewhere = [component for component in synced if component.name not in folders]
    releases = [component.helm for component in elsewhere if component.helm is not None]
    manifests = [each.manifests for each in elsewhere if each.manifests is not None]
    keys = keys_of([each for component in synced for each in folders.get(component.name, ())])
    namespaces = {key.namespace for key in keys if key.namespace}
    namespaces |= {component.namespace for component in synced}
    namespaces |= {namespace for release in releases for namespace in release.other_namespaces}
    foreign: tuple[HelmRelease | PinnedManifests, ...] = (*releases, *manifests)
    released = {kind for each in foreign for kind in each.kinds if not kind.namespaced}
    # What a cluster adds itself may leave its namespace to the Application. A kind has one scope
    # only, so also allowing it as cluster-scoped allows nothing more.
    emitted = kinds_of([key for key in keys if not key.namespace])
    return Permissions(
        repositories=frozenset({gitops.repository} | {each.repository for each in foreign}),
        destinations=frozenset(Destination(gitops.server, each) for each in namespaces),
        cluster_kinds=frozenset(released | emitted),
    )
