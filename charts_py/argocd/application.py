"""One Argo CD Application."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from charts_py.cluster_file.gitops import IN_CLUSTER, GitOps
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform
from charts_py.platform.wave import KEEP_FOREIGN_FIELDS, PRUNE_LAST, SYNC_OPTIONS, SYNC_WAVE

ROOT_APPLICATION = "root-application.yaml"
"""What a person applies once."""
LIVE_APPLICATION = "live-application.yaml"
"""What names the live version; the root Application follows it."""
PROJECT = "project.yaml"
"""What all versions together may do; the root Application follows it."""
_FOLLOWED = f"{{{LIVE_APPLICATION},{PROJECT}}}"
"""All files but that of the Application that follows them."""
_PROJECT = "default"
"""A cluster's own project is among the objects that these apply."""
NAME = "argocd"
"""Name of the folder of the Applications of a version."""
API_VERSION = "argoproj.io/v1alpha1"
CASCADE = "resources-finalizer.argocd.argoproj.io"
"""Finalizer of an Application whose objects are deleted with it, and of an AppProject that stays as
long as an Application needs it. In the foreground, so that the Application outlives its objects.
https://argo-cd.readthedocs.io/en/stable/user-guide/app_deletion/
"""
_RETRY = {
    "limit": 5,
    # A fix that was pushed meanwhile is worth more than a retry of what failed.
    "refresh": True,
    "backoff": {"duration": "10s", "factor": 2, "maxDuration": "5m"},
}


@dataclass(frozen=True, slots=True)
class Application:
    """An Application that syncs its source automatically: what it syncs, and where."""

    name: str
    argocd_namespace: str
    project: str
    source: Mapping[str, Any]
    """https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/"""
    server: str
    namespace: str
    """Namespace of the objects that name none."""
    wave: int | None = None
    sync_options: tuple[str, ...] = ()
    """Sync options besides server-side apply."""
    ignore_differences: tuple[Mapping[str, Any], ...] = ()
    is_cascading: bool = False
    """Whether its objects are deleted when it is."""
    is_removed_last: bool = False
    """Whether everything else is synced before it is pruned."""

    @property
    def metadata(self) -> ObjectMeta:
        wave = {} if self.wave is None else {SYNC_WAVE: str(self.wave)}
        last = {SYNC_OPTIONS: PRUNE_LAST} if self.is_removed_last else {}
        return ObjectMeta(
            name=self.name,
            namespace=self.argocd_namespace,
            annotations={**wave, **last},
            finalizers=(CASCADE,) if self.is_cascading else (),
        )

    def document(self) -> Document:
        return object_of(API_VERSION, "Application", self.metadata, {"spec": self.spec})

    @property
    def spec(self) -> dict[str, Any]:
        # Without it, a sync for another reason would still overwrite what is ignored.
        respected = ("RespectIgnoreDifferences=true",) if self.ignore_differences else ()
        spec: dict[str, Any] = {
            "project": self.project,
            "source": dict(self.source),
            "destination": {"server": self.server, "namespace": self.namespace},
            "syncPolicy": {
                "automated": {"prune": True, "selfHeal": True},
                "retry": _RETRY,
                "syncOptions": ["ServerSideApply=true", *respected, *self.sync_options],
            },
        }
        if self.ignore_differences:
            spec["ignoreDifferences"] = [dict(ignored) for ignored in self.ignore_differences]
        return spec


def git_folder(gitops: GitOps, folder: str, *, include: str | None = None) -> dict[str, Any]:
    """Return the source that is one folder of the platform, or its files that match a glob.

    Folders below it are not included. `recurse: false` would state that, but Argo CD removes the
    default from the object, which would then differ from its file forever.
    """
    source = {
        "repoURL": gitops.repository,
        "targetRevision": gitops.revision,
        "path": gitops.folder(folder),
    }
    return source if include is None else {**source, "directory": {"include": include}}


def version_folder(cluster: str, version: str, component: str) -> str:
    return f"dist/{cluster}/{version}/{component}"


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
