"""What Argo CD does with an object that no version has any longer.

https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#no-prune-resources
https://argo-cd.readthedocs.io/en/stable/user-guide/app_deletion/
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from charts_py.argocd.application import CASCADE, NAME as APPLICATIONS
from charts_py.objects.document import Document
from charts_py.platform.wave import SYNC_OPTIONS, SYNC_WAVE
from gpuplane.plan.object_change import ClusterObjects, ObjectChange
from gpuplane.plan.sources import source
from policies.document import value_at

_INSTANCE = "app.kubernetes.io/instance"
_HELM_POLICY = "helm.sh/resource-policy"


@dataclass(frozen=True, slots=True)
class Kept:
    """An object that stays on the cluster, and why."""

    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class Pruned:
    held_by: str | None = None
    """The sync option that has Argo CD wait until somebody confirms it."""


def pruning(change: ObjectChange) -> Kept | Pruned:
    """Return what becomes of an object that the new side lacks."""
    component = change.placed.component
    before, after = change.cluster.applications
    if not before or component in (APPLICATIONS, "root"):
        return _by_sync(change, None)
    application = before.get(component)
    if application is None:
        return Kept(
            "It stays: no Application syncs its folder, so somebody has to delete it.",
            source("argo_cd_pruning"),
        )
    if not (_is_allowed(change, application) or goes_with_namespace(change)):
        return Kept(
            "It stays: the AppProject no longer allows it, and Argo CD removes only what that "
            "allows.",
            source("argo_cd_projects"),
        )
    remaining = after.get(component)
    if remaining is None:
        return _by_deletion(change, application)
    return _by_sync(change, remaining)


def _is_allowed(change: ObjectChange, application: Document) -> bool:
    """Say whether the project of an Application allows an object, as it is afterwards.

    https://github.com/argoproj/argo-cd/blob/v3.5.1/pkg/apis/application/v1alpha1/app_project_types.go
    """
    key, named = change.placed.key, value_at(application, ("spec", "project"))
    project = change.cluster.projects.get(named)
    if project is None:
        return True
    if key.namespace:
        places = value_at(project, ("spec", "destinations")) or ()
        return any(fnmatchcase(key.namespace, each.get("namespace", "")) for each in places)
    kinds = value_at(project, ("spec", "clusterResourceWhitelist")) or ()
    return any(
        fnmatchcase(key.group, each["group"]) and fnmatchcase(key.kind, each["kind"])
        for each in kinds
    )


def options_of(document: Document | None) -> tuple[str, ...]:
    stated = value_at(document, ("metadata", "annotations", SYNC_OPTIONS)) or ""
    return tuple(option.strip() for option in stated.split(","))


def goes_with_namespace(change: ObjectChange) -> bool:
    """Say whether a version drops the namespace of an object, too, and Argo CD removes that.

    Where that waits for somebody who confirms it, so does all else of its Application, and nothing
    of others.
    """
    cluster = change.cluster
    placed = cluster.namespaces_before.get(change.placed.key.namespace)
    if placed is None or placed.key in cluster.places_afterwards:
        return False
    namespace = ObjectChange(placed, cluster.before[placed], None, cluster)
    match pruning(namespace):
        case Pruned(held_by=None):
            return True
        case Pruned():
            return placed.component == change.placed.component
        case _:
            return False


def _by_sync(change: ObjectChange, application: Document | None) -> Kept | Pruned:
    if "Prune=false" in options_of(change.before):
        return Kept("It stays: Argo CD does not prune it (Prune=false).", source("argo_cd_options"))
    if application is not None:
        if not value_at(application, ("spec", "syncPolicy", "automated", "prune")):
            return Kept(
                "It stays until somebody prunes it: its Application does not do so by itself.",
                source("argo_cd_pruning"),
            )
        # Argo CD leaves definitions as they are. A definition may name its Application itself, by
        # the label that Argo CD goes by where it is set up so.
        said = value_at(change.before, ("metadata", "labels", _INSTANCE))
        is_definition = change.placed.key.kind == "CustomResourceDefinition"
        if is_definition and said != application["metadata"]["name"]:
            return Kept(
                "It stays, with all objects of its kind: Argo CD does not mark a definition as its "
                "Application's, and so prunes none.",
                source("argo_cd_tracking"),
            )
    return Pruned("Prune=confirm" if "Prune=confirm" in options_of(change.before) else None)


def _by_deletion(change: ObjectChange, application: Document) -> Kept | Pruned:
    if CASCADE not in (value_at(application, ("metadata", "finalizers")) or ()):
        return Kept(
            "It stays, unmanaged: its Application is deleted without a finalizer.",
            source("argo_cd_deletion"),
        )
    if change.placed.key.kind == "CustomResourceDefinition":
        return Kept(
            "It stays, with all objects of its kind: Argo CD deletes no definition with an "
            "Application.",
            source("argo_cd_deletion"),
        )
    annotations = value_at(change.before, ("metadata", "annotations")) or {}
    if "Delete=false" in options_of(change.before) or annotations.get(_HELM_POLICY) == "keep":
        return Kept(
            "It stays: Argo CD does not delete it with its Application (Delete=false).",
            source("argo_cd_options"),
        )
    return Pruned("Delete=confirm" if "Delete=confirm" in options_of(change.before) else None)


def is_taken_over_first(cluster: ClusterObjects, old: str, new: str) -> bool:
    """Say whether another Application has an object before the old one gives it up.

    An Application prunes an object only where it was the last to apply it, and one that goes is
    pruned after everything else is synced. Until then both heal what the other has applied: on Argo
    CD 3.5 the tracking-id of such a Namespace changes every few seconds.
    """
    before, after = cluster.applications
    if old in before and old not in after:
        return True
    waves = [
        value_at(after.get(component), ("metadata", "annotations", SYNC_WAVE))
        for component in (new, old)
    ]
    first, then = (int(wave) if wave is not None else 0 for wave in waves)
    return first < then
