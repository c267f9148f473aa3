"""What the root Application syncs: Argo CD's own objects for one cluster."""

from collections.abc import Iterable, Iterator
from typing import Any

from charts_py.argocd.application import NAME, Application, git_folder, version_folder
from charts_py.argocd.health import CONFIG, health_checks
from charts_py.argocd.project import project_name
from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.gitops import IN_CLUSTER, ArgoCdConfig
from charts_py.components.component import Component, HelmRelease, PinnedManifests
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.wave import PRUNE_LAST, Wave

_RESERVED = (NAME, CONFIG, "root", "live")
"""Names of Applications of a cluster that belong to none of its components."""


def applications(platform: Platform, components: tuple[Component, ...]) -> Iterator[Document]:
    """Yield an Application for each synced component, and what makes them wait for each other.

    Raises RenderError where two components have the same name.
    """
    _check_names(platform, components)
    if platform.cluster.gitops.argocd_config is ArgoCdConfig.SYNCED:
        yield from argocd_config(platform)
    for component in components:
        if component.is_synced:
            yield application_of(platform, component).document()


def argocd_config(platform: Platform) -> Iterator[Document]:
    """Yield the ConfigMap of an Argo CD of the cluster's own.

    One that serves several clusters has a single ConfigMap, which is in the fleet's folder.
    """
    gitops = platform.cluster.gitops
    if gitops.server == IN_CLUSTER:
        yield health_checks(gitops.argocd_namespace, (platform.name,))


def _check_names(platform: Platform, components: Iterable[Component]) -> None:
    names = [*_RESERVED, *(component.name for component in components)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise RenderError(
            "\n".join(f'{platform.name}: two components are named "{name}"' for name in twice)
        )


def application_name(platform: Platform, component: Component) -> str:
    return f"{platform.name}-{component.name}"


def application_of(platform: Platform, component: Component) -> Application:
    gitops = platform.cluster.gitops
    released = component.helm.ignore_differences if component.helm else ()
    return Application(
        name=application_name(platform, component),
        argocd_namespace=gitops.argocd_namespace,
        project=project_name(platform.name),
        source=_source(platform, component),
        server=gitops.server,
        namespace=component.namespace,
        wave=component.wave,
        sync_options=(PRUNE_LAST, *planned_options(component)),
        ignore_differences=(*component.ignore_differences, *released),
        is_cascading=True,
        is_removed_last=component.is_removed_last,
    )


def planned_options(component: Component) -> tuple[str, ...]:
    """Return the sync options of what is planned before the kinds of the operators exist."""
    return ("SkipDryRunOnMissingResource=true",) if component.wave > Wave.OPERATORS else ()


def _source(platform: Platform, component: Component) -> dict[str, Any]:
    if component.helm is not None:
        return _helm_source(component.name, component.helm)
    if component.manifests is not None:
        return _manifests_source(component.manifests)
    return folder_source(platform, component)


def folder_source(platform: Platform, component: Component) -> dict[str, Any]:
    folder = version_folder(platform.name, platform.cluster.version, component.name)
    return git_folder(platform.cluster.gitops, folder)


def _helm_source(name: str, release: HelmRelease) -> dict[str, Any]:
    helm: dict[str, Any] = {
        "releaseName": release.name or name,
        "valuesObject": dict(release.values),
    }
    if release.skips_definitions:
        helm["skipCrds"] = True
    return {
        "repoURL": release.repository,
        **({"path": release.path} if release.path else {"chart": release.chart}),
        "targetRevision": release.version,
        "helm": helm,
    }


def _manifests_source(manifests: PinnedManifests) -> dict[str, Any]:
    """Return the files as they stand, even where a kustomization stands beside them."""
    return {
        "repoURL": manifests.repository,
        "path": manifests.pinned.path,
        "targetRevision": manifests.pinned.commit,
        "directory": {"include": f"{{{','.join(manifests.files)}}}"},
    }
